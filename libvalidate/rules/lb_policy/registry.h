/*
 * registry.h - the LB policies that a client has by name, and what the parser of each
 * asks of its JSON (gRFC A24).
 *
 * A config is judged as a tree. xds_tree_of_struct() makes it of a
 * google.protobuf.Struct; a reader of JSON text makes the same tree. Whatever its depth,
 * no more than XDS_MAX_LB_CONFIG_NESTING policies below each other are looked into.
 */
#ifndef XDS_RULES_LB_POLICY_REGISTRY_H
#define XDS_RULES_LB_POLICY_REGISTRY_H

#include "base/path.h"
#include "clients/readers.h"
#include "decode/pb.h"
#include "model/cluster.h"
#include "model/tree.h"
#include "rules/ctx.h"
#include "rules/validation_errors.h"

/* The tree of a Struct, an empty object for NULL. */
struct xds_tree xds_tree_of_struct(struct xds_arena *arena, const pb_struct *pb);
/* Gets the faults one by one, with their path from the top of the config. */
struct xds_lb_observer {
    void (*fault)(void *user, const struct xds_path *at, struct xds_slice message);
    /* The member `field` of `up` is a list of policies, to be judged in turn. */
    void (*policies)(void *user, const struct xds_path *up, const char *field,
                     const struct xds_tree *list);
    /* A member of the object at `up` that the client ignores. nearest: the field that
     * was probably meant. */
    void (*unknown)(void *user, const struct xds_path *up, const struct xds_tree *member,
                    const char *nearest);
    void *user;
};

/* Who judges: one client at a time, since parsers differ in what they call a fault. Zero
 * but for the first three. */
struct xds_lb_judge {
    struct xds_arena *arena;
    const struct xds_options *options;
    enum xds_client client;
    unsigned depth;  /* policies above this one */
    size_t n_faults; /* so far: of all but the first ones no text is kept */
    const struct xds_lb_observer *observer; /* NULL: all faults in one text */
    bool both_spellings; /* of each field, snake_case and lowerCamelCase */
    bool throws;         /* a parser of java throws, and none around it catches */
};

/* The clients that have a policy of this name; *kind is what the model calls it. */
unsigned xds_lb_registered(const struct xds_options *options, struct xds_slice name,
                           enum xds_lb_kind *kind);

/* What the client's parser of the policy finds wrong in this config, in the words of
 * C-core ("errors validating pick_first LB policy config: [...]"), NUL-terminated; data
 * NULL when it accepts it, or when the client has no such policy. */
struct xds_slice xds_lb_config_faults(struct xds_lb_judge *judge, struct xds_slice name,
                                      const struct xds_tree *config);
/* The name as a static text; NULL when the judge's client has no such policy. */
const char *xds_lb_policy_name(const struct xds_lb_judge *judge, struct xds_slice name);
/* Report each fault of the config at `at` to judge->observer. False when the client has
 * no policy of this name. */
bool xds_lb_config_report(struct xds_lb_judge *judge, const struct xds_path *at,
                          struct xds_slice name, const struct xds_tree *config);
/* Why an entry of a list of policies is not valid; data NULL if it is. */
struct xds_slice xds_lb_entry_fault(const struct xds_tree *entry);
/* "No known policies in list: A B", for a list of good entries. */
struct xds_slice xds_lb_none_known(struct xds_arena *arena, const struct xds_tree *list);
/* The same for a list of policies, of which the first registered one decides. */
struct xds_slice xds_lb_list_faults(struct xds_lb_judge *judge,
                                    const struct xds_tree *list);

/* A schema is a list of fields, bounds on their numbers and lengths, and where no row can
 * say it one function. Each row names the clients for which it holds, so that a
 * difference between parsers is a mask and never a second schema, but for node, whose
 * fields have names of their own. */

enum xds_lb_field_kind {
    XDS_LB_FIELD_BOOL,
    XDS_LB_FIELD_STRING,
    XDS_LB_FIELD_STRING_OR_NULL,
    XDS_LB_FIELD_UINT32,
    XDS_LB_FIELD_UINT64,
    XDS_LB_FIELD_INT64, /* as proto3 JSON has it: a number or its text */
    XDS_LB_FIELD_FLOAT,
    XDS_LB_FIELD_DURATION,
    XDS_LB_FIELD_SECONDS_NANOS, /* a duration as {seconds, nanos} only */
    XDS_LB_FIELD_STRINGS,
    XDS_LB_FIELD_ANYTHING, /* a list of anything but null */
    XDS_LB_FIELD_OBJECT,   /* of `schema` */
    XDS_LB_FIELD_OBJECTS,  /* a list of them */
    XDS_LB_FIELD_MAP,      /* from names to objects of `schema` */
    XDS_LB_FIELD_POLICIES, /* a list of policies */
    XDS_LB_FIELD_LIST,     /* a list of policies that is not looked into */
};

struct xds_lb_schema;

struct xds_lb_field {
    const char *name;
    enum xds_lb_field_kind kind;
    unsigned readers;     /* for the others the key is unknown, and so ignored */
    unsigned required_by; /* of the readers */
    const struct xds_lb_schema *schema;
    bool guarded; /* read only where `guard` is on */
    enum xds_env guard;
    bool dated; /* read only by those that do not differ in `before` */
    enum xds_difference before;
};

/* A row of a table of fields, without and with a schema, with a guard ... */
#define F(name, kind, readers, required)                                                 \
    {                                                                                    \
        name, XDS_LB_FIELD_##kind, readers, required, NULL, false, 0, false, 0           \
    }
#define OF(name, kind, readers, required, schema)                                        \
    {                                                                                    \
        name, XDS_LB_FIELD_##kind, readers, required, schema, false, 0, false, 0         \
    }
#define GUARDED(name, kind, readers, env)                                                \
    {                                                                                    \
        name, XDS_LB_FIELD_##kind, readers, 0, NULL, true, env, false, 0                 \
    }
/* ... that came later than the policy. */
#define DATED(name, kind, readers, difference)                                           \
    {                                                                                    \
        name, XDS_LB_FIELD_##kind, readers, 0, NULL, false, 0, true, difference          \
    }
#define DATED_OBJECTS(name, readers, difference, schema)                                 \
    {                                                                                    \
        name, XDS_LB_FIELD_OBJECTS, readers, 0, schema, false, 0, true, difference       \
    }

/* A number, a duration in seconds, or the length of a text, list or map, that is set must
 * be between these. */
struct xds_lb_bound {
    const char *field;
    const char *shown_as; /* C-core's name of the field where it is another; or NULL */
    unsigned clients;
    double least, most;
    const char *message;
};

/* The config under one parser, and where its faults go. */
struct xds_lb_scope {
    struct xds_lb_judge *judge;
    struct xds_validation_errors *errors;
};

/* For tables. */
#define XDS_LB_FIELDS(...)                                                               \
    .fields = (const struct xds_lb_field[]){__VA_ARGS__},                                \
    .n_fields = XDS_ARRAY_LEN(((const struct xds_lb_field[]){__VA_ARGS__}))
#define XDS_LB_BOUNDS(...)                                                               \
    .bounds = (const struct xds_lb_bound[]){__VA_ARGS__},                                \
    .n_bounds = XDS_ARRAY_LEN(((const struct xds_lb_bound[]){__VA_ARGS__}))

/* Clients that mostly agree. */
#define C_ONLY (XDS_GRFC | XDS_CORE)
#define C_GO (C_ONLY | XDS_GO)
#define C_GO_JAVA (C_GO | XDS_JAVA)
#define GO_JAVA (XDS_GO | XDS_JAVA)

struct xds_lb_schema {
    const struct xds_lb_field *fields;
    size_t n_fields;
    const struct xds_lb_bound *bounds;
    size_t n_bounds;
    bool bounds_throw; /* in java */
    void (*check)(struct xds_lb_scope *scope, const struct xds_path *at,
                  const struct xds_tree *object);
};

struct xds_lb_row {
    const char *name;
    unsigned clients;
    enum xds_lb_kind kind;
    const char *title;                  /* in the text of its faults */
    const struct xds_lb_schema *schema; /* NULL: any object will do */
};

/* NULL when the client has no policy of this name. */
const struct xds_lb_row *xds_lb_row_of(const struct xds_lb_judge *judge,
                                       struct xds_slice name);

extern const struct xds_lb_schema xds_lb_schema_rls, xds_lb_ring_hash_config;

/* A fault at a path within the config. */
void xds_lb_fault(struct xds_lb_scope *scope, const struct xds_path *at,
                  struct xds_slice message);
/* Does the client that judges differ from the documents in this? */
static inline bool xds_lb_differs(const struct xds_lb_scope *scope,
                                  enum xds_difference difference)
{
    return xds_differs(scope->judge->options, scope->judge->client, difference);
}
/* The member of a config under a name, as far as this judge takes spellings. */
const struct xds_tree *xds_lb_member(const struct xds_lb_scope *scope,
                                     const struct xds_tree *object, const char *name);
/* "words "what"", as a message. */
struct xds_slice xds_lb_quoted(const struct xds_lb_scope *scope, const char *words,
                               struct xds_slice what);
/* A key of a map as paths show it: in quotes, but for an observer as it is. */
struct xds_slice xds_lb_shown_key(const struct xds_lb_scope *scope, struct xds_slice key);
/* Fields, bounds and check of an object. */
void xds_lb_object_read(struct xds_lb_scope *scope, const struct xds_path *at,
                        const struct xds_lb_schema *schema,
                        const struct xds_tree *object);
/* The policy of a list that decides; NULL with *fault when there is none. */
const struct xds_tree *xds_lb_list_choose(struct xds_lb_judge *judge,
                                          const struct xds_tree *list,
                                          struct xds_slice *fault);
/* A list of policies in the member `name` of `up`. */
void xds_lb_policies_read(struct xds_lb_scope *scope, const struct xds_path *up,
                          const char *name, const struct xds_tree *value);

/* Why a value is not a number of this kind to the client, or NULL with *number filled. */
const char *xds_lb_number(const struct xds_lb_judge *judge, enum xds_lb_field_kind kind,
                          const struct xds_tree *value, double *number);

/* Node has its own. */
extern const struct xds_lb_schema xds_lb_outlier_detection;

#endif
