/*
 * probe.c - what the top-level keys of an object tell about it.
 *
 * Source: the proto3 JSON mapping of Any.
 */
#include "source/probe.h"

struct xds_slice xds_plain_text(const struct xds_token *token, struct xds_arena *arena)
{
    struct xds_tokens tokens;
    struct xds_token checked = *token;

    if (token->escaped) {
        const struct xds_slice quoted =
            xds_slice_make(token->text.data - 1, token->text.len + 2);

        xds_tokens_json(&tokens, quoted);
        xds_tokens_next(&tokens, &checked);
    }
    if (checked.kind == XDS_TOKEN_ERROR || !xds_utf8_valid(checked.text))
        return XDS_S("");
    return xds_token_unescape(&checked, arena);
}

/* "endpoints" is a field of ClusterLoadAssignment too: are assignments in it? An
 * object is one that has them by name, or, where lists are repeated keys, an item. */
static bool holds_assignments(struct xds_reader *reader, const struct xds_token *value)
{
    struct xds_token token = *value;

    if (token.kind == XDS_TOKEN_ARRAY)
        reader->ops->next(reader, &token);
    else if (token.kind == XDS_TOKEN_OBJECT && !reader->repeats)
        return true;
    if (token.kind != XDS_TOKEN_OBJECT)
        return false;
    reader->ops->next(reader, &token);
    return token.kind == XDS_TOKEN_KEY && xds_shape_is_assignment_key(token.text);
}

enum probe_step { PROBE_ON, PROBE_DONE, PROBE_AGAIN };

static enum probe_step probe_packed(struct xds_reader *reader, struct xds_probe *found)
{
    struct xds_token value;

    reader->ops->next(reader, &value);
    if (value.kind == XDS_TOKEN_STRING)
        found->packed = xds_plain_text(&value, reader->scratch);
    else
        reader->ops->skip(reader, &value);
    return PROBE_ON;
}

static enum probe_step probe_string(struct xds_reader *reader, struct xds_probe *found,
                                    bool is_type)
{
    struct xds_token value;

    reader->ops->next(reader, &value);
    if (value.kind != XDS_TOKEN_STRING) {
        reader->ops->skip(reader, &value);
        return PROBE_ON;
    }
    const struct xds_slice text = xds_plain_text(&value, reader->scratch);
    *(is_type ? &found->type_url : &found->name) = text;
    if (!is_type || xds_shape_is_wrapper(text))
        return PROBE_ON;
    found->container = xds_shape_is_container(text);
    return PROBE_DONE;
}

static enum probe_step probe_key(struct xds_reader *reader, struct xds_probe *found,
                                 const struct xds_token *key, enum xds_place_kind place,
                                 bool know_endpoints)
{
    const bool is_type = xds_token_is(key, "@type");
    const bool is_endpoints = xds_slice_is(key->text, "endpoints");
    const bool resource = xds_slice_is(key->text, "resource");
    struct xds_token value;

    if (is_type || xds_slice_is(key->text, "name"))
        return probe_string(reader, found, is_type);
    if (reader->repeats && place == XDS_PLACE_RESOURCE &&
        xds_slice_is(key->text, "type_url"))
        return probe_packed(reader, found);
    const bool container =
        place == XDS_PLACE_DOCUMENT && xds_shape_find(XDS_PLACE_ROOT, key->text) != NULL;
    if (container && !is_endpoints) {
        found->container = true;
        return PROBE_DONE;
    }
    reader->ops->next(reader, &value);
    if (container && !know_endpoints) {
        found->container = holds_assignments(reader, &value);
        return found->container ? PROBE_DONE : PROBE_AGAIN;
    }
    if (resource) {
        found->has_resource = true;
        found->resource = value.kind;
    }
    reader->ops->skip(reader, &value);
    return PROBE_ON;
}

static enum probe_step probe_keys(struct xds_reader *reader, struct xds_probe *found,
                                  enum xds_place_kind place, bool know_endpoints)
{
    struct xds_token key;
    enum probe_step step = PROBE_ON;

    *found = (struct xds_probe){.container = false};
    while (step == PROBE_ON && !reader->failed) {
        reader->ops->next(reader, &key);
        if (key.kind != XDS_TOKEN_KEY)
            return PROBE_DONE;
        step = probe_key(reader, found, &key, place, know_endpoints);
    }
    return step;
}

/* One skip the keys; *again: another one is needed that knows of "endpoints". */
static bool probe_pass(struct xds_reader *reader, struct xds_probe *found,
                       enum xds_place_kind place, bool know_endpoints, bool *again)
{
    reader->ops->mark(reader);
    *again = probe_keys(reader, found, place, know_endpoints) == PROBE_AGAIN;
    const bool good = !reader->failed;
    reader->ops->rewind(reader);
    return good;
}

bool xds_probe_object(struct xds_reader *reader, struct xds_probe *found,
                      enum xds_place_kind place)
{
    bool again;

    if (!probe_pass(reader, found, place, false, &again))
        return false;
    return !again || probe_pass(reader, found, place, true, &again);
}
