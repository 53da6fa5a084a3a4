/*
 * held.c - an entry of a dump: what a client says of one resource.
 *
 * Source: envoy.admin.v3 (config_dump_shared.proto) and envoy.service.status.v3
 *         (csds.proto) of the data-plane API.
 */
#include "source/held.h"

#include "source/walk.h"
#include "source/wire/wire_field.h"

/* More of a version, a time or a node id is not kept. */
#define MOST_TEXT 256

/* What a field of an entry is. */
enum part {
    NOTHING,
    NAME,
    TYPE_URL,
    VERSION,
    UPDATED,
    STATUS,
    CONFIG_STATUS, /* what a control plane knows of it */
    USED,
    REJECTED,
    IS_STATIC,
    ERROR,  /* a message */
    STATE,  /* the same */
    REASON, /* of an error, as the next two */
    ERROR_VERSION,
    ERROR_TIME,
};

/* Names do not clash, but for those of errors: JSON, YAML and text proto need not know
 * which message it is. */
static const struct row {
    enum xds_held_message in;
    uint32_t number;
    const char *key; /* in snake_case; NULL: in another row */
    enum part part;
} rows[] = {
    {XDS_HELD_GENERIC, 1, "type_url", TYPE_URL},
    {XDS_HELD_GENERIC, 2, "name", NAME},
    {XDS_HELD_GENERIC, 3, "version_info", VERSION},
    {XDS_HELD_GENERIC, 4, "xds_config", USED},
    {XDS_HELD_GENERIC, 5, "last_updated", UPDATED},
    {XDS_HELD_GENERIC, 6, "config_status", CONFIG_STATUS},
    {XDS_HELD_GENERIC, 7, "client_status", STATUS},
    {XDS_HELD_GENERIC, 8, "error_state", ERROR},
    {XDS_HELD_GENERIC, 9, "is_static_resource", IS_STATIC},
    {XDS_HELD_STATIC, 1, "cluster", USED},
    {XDS_HELD_STATIC, 2, NULL, UPDATED},
    {XDS_HELD_DYNAMIC, 1, NULL, VERSION},
    {XDS_HELD_DYNAMIC, 2, "route_config", USED},
    {XDS_HELD_DYNAMIC, 2, "endpoint_config", USED},
    {XDS_HELD_DYNAMIC, 3, NULL, UPDATED},
    {XDS_HELD_DYNAMIC, 4, NULL, ERROR},
    {XDS_HELD_DYNAMIC, 5, NULL, STATUS},
    {XDS_HELD_LISTENER, 1, NULL, NAME},
    {XDS_HELD_LISTENER, 2, "active_state", STATE},
    {XDS_HELD_LISTENER, 3, "warming_state", STATE},
    {XDS_HELD_LISTENER, 5, NULL, ERROR},
    {XDS_HELD_LISTENER, 6, NULL, STATUS},
    {XDS_HELD_LISTENER_STATE, 1, NULL, VERSION},
    {XDS_HELD_LISTENER_STATE, 2, "listener", USED},
    {XDS_HELD_LISTENER_STATE, 3, NULL, UPDATED},
    {XDS_HELD_ERROR, 1, "failed_configuration", REJECTED},
    {XDS_HELD_ERROR, 2, "last_update_attempt", ERROR_TIME},
    {XDS_HELD_ERROR, 3, "details", REASON},
    {XDS_HELD_ERROR, 4, "version_info", ERROR_VERSION},
};

static enum part part_of_key(struct xds_slice key, bool in_error)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (rows[i].key && in_error == (rows[i].in == XDS_HELD_ERROR) &&
            xds_shape_key_is(key, rows[i].key))
            return rows[i].part;
    return NOTHING;
}

static const struct row *row_of_number(enum xds_held_message in, uint32_t number)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (rows[i].in == in && rows[i].number == number)
            return &rows[i];
    return NULL;
}

/* ---- values ---- */

static void set_status(struct xds_held_entry *out, uint64_t number)
{
    if (number < XDS_HELD_STATUSES)
        out->held.status = (enum xds_held_status)number;
}

/* ConfigStatus: only that of an error tells what the client has done. */
static void set_config_status(struct xds_held_entry *out, bool is_error)
{
    if (is_error && out->held.status == XDS_HELD_UNKNOWN)
        out->held.status = XDS_HELD_NACKED;
}

enum { CONFIG_STATUS_ERROR = 4 };

static void set_enum(struct xds_held_entry *out, enum part part,
                     const struct xds_token *value, struct xds_slice text)
{
    uint64_t number;

    if (xds_slice_to_u64(text, &number) && value->kind == XDS_TOKEN_NUMBER) {
        if (part == STATUS)
            set_status(out, number);
        else
            set_config_status(out, number == CONFIG_STATUS_ERROR);
        return;
    }
    if (part == CONFIG_STATUS)
        set_config_status(out, xds_slice_is(text, "ERROR"));
    for (unsigned i = 0; part == STATUS && i < XDS_HELD_STATUSES; i++)
        if (xds_slice_is(text, xds_held_status_name((enum xds_held_status)i)))
            set_status(out, i);
}

/* Where a text of this part goes, if it is the first; and how much of it. */
static struct xds_slice *text_of(struct xds_held_entry *out, enum part part, size_t *most)
{
    *most = MOST_TEXT;
    switch (part) {
    case NAME:
        *most = SIZE_MAX;
        return &out->name;
    case TYPE_URL:
        *most = SIZE_MAX;
        return &out->type_url;
    case VERSION:
        return &out->held.version;
    case UPDATED:
        return &out->held.updated;
    case REASON:
        *most = XDS_MAX_HELD_ERROR;
        return &out->held.error;
    case ERROR_VERSION:
        return &out->held.error_version;
    case ERROR_TIME:
        return &out->held.error_time;
    case NOTHING:
    case STATUS:
    case CONFIG_STATUS:
    case USED:
    case REJECTED:
    case IS_STATIC:
    case ERROR:
    case STATE:
        break;
    }
    return NULL;
}

static void set_text(struct xds_held_entry *out, enum part part, struct xds_slice text)
{
    size_t most;
    struct xds_slice *to = text_of(out, part, &most);

    /* go has the zero time of its language for what it has never accepted. */
    if ((part == UPDATED || part == ERROR_TIME) &&
        xds_slice_is(text, "0001-01-01T00:00:00Z"))
        return;
    if (to && to->len == 0)
        *to = xds_slice_clip(text, most);
}

/* Seconds since 1970 as RFC 3339 writes them. */
static struct xds_slice time_text(struct xds_arena *arena, int64_t seconds)
{
    const int64_t day = 86400, most = 253402300799; /* the end of the year 9999 */

    if (seconds <= 0 || seconds > most)
        return XDS_S("");
    /* Days since 1 March of the year 0, which is the first of 400 years. */
    const int64_t days = seconds / day + 719468, rest = seconds % day;
    const int64_t in_era = days % 146097;
    const int64_t year_of_era =
        (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    const int64_t in_year =
        in_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t month = (5 * in_year + 2) / 153; /* 0: March */
    const int64_t year = year_of_era + days / 146097 * 400 + (month > 9);

    return xds_arena_printf(arena, "%04d-%02d-%02dT%02d:%02d:%02dZ", (int)year,
                            (int)(month > 9 ? month - 9 : month + 3),
                            (int)(in_year - (153 * month + 2) / 5 + 1),
                            (int)(rest / 3600), (int)(rest / 60 % 60), (int)(rest % 60));
}

/* A status that a dump does not say may follow from what it says. */
static void settle(struct xds_held_entry *out)
{
    out->held.has_rejected = out->has_rejected;
    if (out->held.status == XDS_HELD_UNKNOWN &&
        (out->held.error.len > 0 || out->has_rejected))
        out->held.status = XDS_HELD_NACKED;
}

/* ---- text ---- */

/* What is read: errors and states are in entries only. */
enum level { IN_ENTRY, IN_STATE, IN_ERROR };

/* Text proto writes a Timestamp as a message. */
static struct xds_slice read_time(struct xds_reader *reader, struct xds_arena *arena)
{
    struct xds_token key, value;
    int64_t seconds = 0;

    for (;;) {
        reader->ops->next(reader, &key);
        if (key.kind != XDS_TOKEN_KEY)
            return time_text(arena, seconds);
        const bool is_seconds = xds_slice_is(key.text, "seconds");

        reader->ops->next(reader, &value);
        if (!is_seconds || value.kind != XDS_TOKEN_NUMBER ||
            !xds_slice_to_i64(value.text, &seconds))
            reader->ops->skip(reader, &value);
    }
}

static bool is_scalar(const struct xds_token *value)
{
    return value->kind == XDS_TOKEN_STRING || value->kind == XDS_TOKEN_WORD ||
           value->kind == XDS_TOKEN_NUMBER;
}

static void read_members(struct xds_reader *reader, struct xds_arena *arena,
                         enum level level, struct xds_held_entry *out);

static void read_value(struct xds_reader *reader, struct xds_arena *arena,
                       enum level level, enum part part, struct xds_held_entry *out)
{
    struct xds_token value;

    reader->ops->next(reader, &value);
    if (value.kind == XDS_TOKEN_OBJECT && level == IN_ENTRY &&
        (part == ERROR || part == STATE)) {
        read_members(reader, arena, part == ERROR ? IN_ERROR : IN_STATE, out);
        return;
    }
    if (value.kind == XDS_TOKEN_OBJECT && (part == UPDATED || part == ERROR_TIME)) {
        set_text(out, part, read_time(reader, arena));
        return;
    }
    if (part == USED)
        out->has_used |= value.kind == XDS_TOKEN_OBJECT;
    if (part == REJECTED)
        out->has_rejected |= value.kind == XDS_TOKEN_OBJECT;
    if (part == IS_STATIC)
        out->is_static = value.kind == XDS_TOKEN_TRUE || xds_slice_is(value.text, "true");
    if (!is_scalar(&value)) {
        reader->ops->skip(reader, &value);
        return;
    }
    const struct xds_slice text = value.kind == XDS_TOKEN_STRING
                                      ? xds_plain_text(&value, arena)
                                      : xds_arena_dup(arena, value.text);
    if (part == STATUS || part == CONFIG_STATUS)
        set_enum(out, part, &value, text);
    else
        set_text(out, part, text);
}

static void read_members(struct xds_reader *reader, struct xds_arena *arena,
                         enum level level, struct xds_held_entry *out)
{
    struct xds_token key;

    while (!reader->failed) {
        reader->ops->next(reader, &key);
        if (key.kind != XDS_TOKEN_KEY)
            return;
        const enum part part = part_of_key(key.text, level == IN_ERROR);

        if (part == NOTHING) {
            struct xds_token value;

            reader->ops->next(reader, &value);
            reader->ops->skip(reader, &value);
        } else
            read_value(reader, arena, level, part, out);
    }
}

void xds_held_read(struct xds_reader *reader, struct xds_arena *arena,
                   struct xds_held_entry *out)
{
    *out = (struct xds_held_entry){.has_used = false};
    read_members(reader, arena, IN_ENTRY, out);
    settle(out);
}

/* ---- the wire ---- */

static struct xds_slice wire_text(struct xds_arena *arena, struct xds_slice text)
{
    return xds_utf8_valid(text) ? xds_arena_keep_nul(arena, text) : XDS_S("");
}

static struct xds_slice wire_time(struct xds_arena *arena, struct xds_slice message)
{
    enum { SECONDS = 1 };
    struct xds_wire_field field;
    struct xds_slice value;
    int64_t seconds = 0;

    while (message.len && xds_wire_next(&message, &field, &value))
        if (field.number == SECONDS && field.type == XDS_WIRE_VARINT)
            seconds = (int64_t)field.value;
    return time_text(arena, seconds);
}

static bool read_message(struct xds_slice message, enum xds_held_message kind,
                         struct xds_arena *arena, struct xds_held_entry *out);

static bool take_bytes(enum part part, struct xds_slice value, struct xds_arena *arena,
                       struct xds_held_entry *out)
{
    switch (part) {
    case NAME:
    case TYPE_URL:
    case VERSION:
    case REASON:
    case ERROR_VERSION:
        set_text(out, part, wire_text(arena, value));
        return true;
    case UPDATED:
    case ERROR_TIME:
        set_text(out, part, wire_time(arena, value));
        return true;
    case USED:
        out->used[out->has_used] = value;
        out->has_used = true;
        return true;
    case REJECTED:
        out->rejected = value;
        out->has_rejected = true;
        return true;
    case ERROR:
        return read_message(value, XDS_HELD_ERROR, arena, out);
    case STATE:
        return read_message(value, XDS_HELD_LISTENER_STATE, arena, out);
    case NOTHING:
    case STATUS:
    case CONFIG_STATUS:
    case IS_STATIC:
        break;
    }
    return true;
}

/* Errors and states are in entries only. */
static bool read_message(struct xds_slice message, enum xds_held_message kind,
                         struct xds_arena *arena, struct xds_held_entry *out)
{
    struct xds_wire_field field;
    struct xds_slice value;

    while (message.len) {
        if (!xds_wire_next(&message, &field, &value))
            return false;
        const struct row *row = row_of_number(kind, field.number);

        if (!row)
            continue;
        if (field.type == XDS_WIRE_BYTES && !take_bytes(row->part, value, arena, out))
            return false;
        if (field.type != XDS_WIRE_VARINT)
            continue;
        if (row->part == STATUS)
            set_status(out, field.value);
        else if (row->part == CONFIG_STATUS)
            set_config_status(out, field.value == CONFIG_STATUS_ERROR);
        else if (row->part == IS_STATIC)
            out->is_static = field.value != 0;
    }
    return true;
}

bool xds_held_read_wire(struct xds_slice message, enum xds_held_message kind,
                        struct xds_arena *arena, struct xds_held_entry *out)
{
    *out = (struct xds_held_entry){.is_static = kind == XDS_HELD_STATIC};
    const bool good = read_message(message, kind, arena, out);

    settle(out);
    return good;
}

bool xds_held_tells_absence(const struct xds_held_entry *entry, bool versions)
{
    const enum xds_held_status status = entry->held.status;

    return !entry->has_used && !entry->has_rejected && status != XDS_HELD_UNKNOWN &&
           (versions || status != XDS_HELD_ACKED);
}

/* ---- clients ---- */

void xds_begin_client(struct xds_dumped_client *client)
{
    client->is_new = true;
    client->configs++;
    if (client->n == 0 || client->id[0] == '\0' ||
        strcmp(client->id, client->id_before) != 0)
        client->n++;
}

void xds_begin_node(struct xds_dumped_client *client)
{
    client->id[0] = client->agent[0] = '\0';
}

/* The string of a field; absent: the value is none. */
static struct xds_slice read_string(struct xds_reader *reader)
{
    struct xds_token value;

    reader->ops->next(reader, &value);
    if (value.kind == XDS_TOKEN_STRING)
        return xds_plain_text(&value, reader->scratch);
    reader->ops->skip(reader, &value);
    return (struct xds_slice){NULL, 0};
}

/* value { string_value: "..." } */
static struct xds_slice read_string_value(struct xds_reader *reader)
{
    struct xds_slice text = {NULL, 0};
    struct xds_token key;

    reader->ops->next(reader, &key);
    if (key.kind != XDS_TOKEN_OBJECT) {
        reader->ops->skip(reader, &key);
        return text;
    }
    for (;;) {
        reader->ops->next(reader, &key);
        if (key.kind != XDS_TOKEN_KEY)
            return text;
        const bool is_text = xds_slice_is(key.text, "string_value");
        const struct xds_slice value = read_string(reader);

        if (is_text)
            text = value;
    }
}

/* fields { key: "..." value { ... } } */
static void read_struct_field(struct xds_reader *reader, struct xds_dumped_client *client)
{
    struct xds_slice name = XDS_S(""), text = {NULL, 0};
    struct xds_token key;

    for (;;) {
        reader->ops->next(reader, &key);
        if (key.kind != XDS_TOKEN_KEY)
            break;
        if (xds_slice_is(key.text, "value")) {
            text = read_string_value(reader);
            continue;
        }
        const bool is_name = xds_slice_is(key.text, "key");
        const struct xds_slice value = read_string(reader);

        if (is_name)
            name = value;
    }
    if (client->reads_agent && text.data && xds_slice_is(name, XDS_BOOTSTRAP_KEY))
        client->bootstrap = xds_arena_dup(client->arena, text);
}

/* fields [{ ... }, { ... }] */
static void read_struct_fields(struct xds_reader *reader,
                               struct xds_dumped_client *client)
{
    struct xds_token item;

    for (;;) {
        reader->ops->next(reader, &item);
        if (item.kind == XDS_TOKEN_OBJECT)
            read_struct_field(reader, client);
        else if (item.kind == XDS_TOKEN_ARRAY_END || item.kind == XDS_TOKEN_ERROR)
            return;
        else
            reader->ops->skip(reader, &item);
    }
}

void xds_read_metadata_text(struct xds_reader *reader, struct xds_dumped_client *client)
{
    struct xds_token key;

    for (;;) {
        struct xds_token value;

        reader->ops->next(reader, &key);
        if (key.kind != XDS_TOKEN_KEY)
            return;
        const bool is_field = xds_slice_is(key.text, "fields");

        reader->ops->next(reader, &value);
        if (is_field && value.kind == XDS_TOKEN_OBJECT)
            read_struct_field(reader, client);
        else if (is_field && value.kind == XDS_TOKEN_ARRAY)
            read_struct_fields(reader, client);
        else
            reader->ops->skip(reader, &value);
    }
}

/* What a client of gRPC has in use it has accepted. Of one that does not say who it is,
 * any could be asked about. */
static unsigned users_of(const struct xds_held *held,
                         const struct xds_dumped_client *client)
{
    const struct xds_slice agent = xds_slice_of(client->agent);
    enum xds_client who;

    if (held->is_rejected || held->is_absent || held->status == XDS_HELD_UNKNOWN)
        return 0;
    if (agent.len == 0)
        return XDS_ALL_CLIENTS;
    return xds_user_agent_client(agent, &who) ? XDS_CLIENT_BIT(who) : 0;
}

void xds_held_sign(struct xds_held *held, bool in_client,
                   struct xds_dumped_client *client)
{
    if (in_client && client->is_new) {
        client->is_new = false;
        memcpy(client->id_before, client->id, sizeof client->id);
    }
    held->client = in_client ? client->n : 0;
    held->config = in_client ? client->configs : 0;
    held->node = xds_slice_of(in_client ? client->id : "");
    held->used_by = in_client ? users_of(held, client) : 0;
}

/* ---- copies ---- */

struct xds_held *xds_held_copy(struct xds_arena *arena, const struct xds_held *held)
{
    struct xds_held *copy = XDS_NEW(arena, struct xds_held);

    *copy = *held;
    copy->node = xds_arena_dup(arena, held->node);
    copy->version = xds_arena_dup(arena, held->version);
    copy->updated = xds_arena_dup(arena, held->updated);
    copy->error = xds_arena_dup(arena, held->error);
    copy->error_version = xds_arena_dup(arena, held->error_version);
    copy->error_time = xds_arena_dup(arena, held->error_time);
    return copy;
}
