/*
 * lint_rules.c - which rules a run reports, how loud, and which of them fail it.
 *
 * Fails:  on a name that no rule has, with the nearest one.
 */
#include "cli/lint/lint.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

/* Words of --level. */
static const struct level {
    const char *name;
    bool is_off;
    enum xds_level level;
} levels[] = {
    {"error", false, XDS_LEVEL_ERROR},
    {"warning", false, XDS_LEVEL_WARNING},
    {"note", false, XDS_LEVEL_NOTE},
    {"off", true, XDS_LEVEL_NOTE},
};

static bool is_rule(const struct command *self, struct xds_slice name)
{
    const char *hint;

    if (xds_rule_find(name, &hint))
        return true;
    (void)unknown_error(self, "rule", name, hint, "xdscope rule lists them");
    return false;
}

static bool check_names(const struct command *self, const char *value)
{
    struct xds_slice name;

    for (const char *rest = value; next_piece(&rest, &name);)
        if (!is_rule(self, name))
            return false;
    return true;
}

/* Cut at the last '='; false when there is none. */
static bool cut_pair(struct xds_slice pair, struct xds_slice *key,
                     struct xds_slice *value)
{
    size_t at = pair.len;

    while (at > 0 && pair.data[at - 1] != '=')
        at--;
    if (at == 0)
        return false;
    *key = (struct xds_slice){pair.data, at - 1};
    *value = (struct xds_slice){pair.data + at, pair.len - at};
    return true;
}

static const struct level *find_level(struct xds_slice name)
{
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        if (is_text(name, levels[i].name))
            return &levels[i];
    return NULL;
}

static bool is_level(const struct command *self, struct xds_slice name)
{
    struct hint hint = hint_for(name.data, name.len);

    if (find_level(name))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        hint_offer(&hint, levels[i].name);
    (void)unknown_error(self, "level", name, hint.best,
                        "use error, warning, note or off");
    return false;
}

static bool check_levels(const struct command *self, const char *value)
{
    struct xds_slice pair, rule, level;

    for (const char *rest = value; next_piece(&rest, &pair);) {
        if (!cut_pair(pair, &rule, &level)) {
            (void)usage_error(self, "--level: '%.*s' is not RULE=LEVEL", (int)pair.len,
                              pair.data);
            return false;
        }
        if (!is_rule(self, rule) || !is_level(self, level))
            return false;
    }
    return true;
}

static bool check_pattern(const struct command *self, const char *value)
{
    struct xds_slice pattern, rules;

    if (cut_pair(slice_of(value), &pattern, &rules))
        return check_names(self, rules.data);
    (void)usage_error(self, "--per-file-ignores: '%s' is not PATTERN=RULES", value);
    return false;
}

static const char *const level_words[] = {"error", "warning", "note", "off", NULL};

static const struct option rows[] = {
    {VALUE_ROW(LIST, lint_settings, select, "select", "RULES"), .argument = ARGUMENT_RULE,
     .undo = true, .check = check_names,
     .help = "report only these rules, and input that cannot be read"},
    {VALUE_ROW(LIST, lint_settings, ignore, "ignore", "RULES"), .argument = ARGUMENT_RULE,
     .undo = true, .check = check_names, .help = "do not report these rules"},
    {VALUE_ROW(LIST, lint_settings, level, "level", "RULE=LEVEL"),
     .argument = ARGUMENT_RULE, .words = level_words, .undo = true, .adds = true,
     .check = check_levels,
     .help = "level of a rule: error, warning, note, or off, which does not report it; "
             "separated by commas or repeated"},
    {VALUE_ROW(LIST, lint_settings, per_file_ignores, "per-file-ignores",
               "PATTERN=RULES"),
     .argument = ARGUMENT_PATTERN, .undo = true, .adds = true, .check = check_pattern,
     .help = "do not report these rules in files whose path matches PATTERN; may be "
             "repeated"},
};

const struct option_group rule_options = {
    .options = rows, .n = ARRAY_LEN(rows), .title = "Which findings are reported"};

bool rules_check(const struct command *self, const struct lint_settings *settings)
{
    const char *base = (const char *)settings;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct text_list *list = (const struct text_list *)(base + rows[i].offset);

        for (size_t j = 0; j < list->n; j++)
            if (!rows[i].check(self, list->items[j]))
                return false;
    }
    return true;
}

/* ---- which findings are wanted ---- */

static bool is_optional(struct xds_slice name)
{
    const char *hint;
    const struct xds_rule *rule = xds_rule_find(name, &hint);

    return rule && rule->optional;
}

bool rules_ask_optional(const struct lint_settings *settings)
{
    struct xds_slice piece, name, level;

    for (size_t i = 0; i < settings->select.n; i++)
        for (const char *rest = settings->select.items[i]; next_piece(&rest, &name);)
            if (is_optional(name))
                return true;
    for (size_t i = 0; i < settings->level.n; i++)
        for (const char *rest = settings->level.items[i]; next_piece(&rest, &piece);)
            if (cut_pair(piece, &name, &level) && is_optional(name))
                return true;
    return false;
}

/* What was said of one rule. */
struct choice {
    bool selected, ignored;
    const struct level *level; /* NULL: its own */
};

struct wanted {
    const struct lint_settings *settings;
    const struct xds_report *report;
    const struct xds_rule *rules;
    size_t n_rules;
    struct choice *choices;   /* by rule */
    uint32_t file;            /* whose path this is */
    char *path, *folder;      /* absolute; NULL when there is none */
    const char *below_folder; /* the part of path after folder, or NULL */
};

static struct choice *choice_of(const struct wanted *wanted, struct xds_slice name)
{
    const char *hint;

    return &wanted->choices[xds_rule_find(name, &hint) - wanted->rules];
}

static void read_choices(const struct wanted *wanted)
{
    const struct lint_settings *settings = wanted->settings;
    struct xds_slice piece, rule, level;

    for (size_t i = 0; i < settings->select.n; i++)
        for (const char *rest = settings->select.items[i]; next_piece(&rest, &piece);)
            choice_of(wanted, piece)->selected = true;
    for (size_t i = 0; i < settings->ignore.n; i++)
        for (const char *rest = settings->ignore.items[i]; next_piece(&rest, &piece);)
            choice_of(wanted, piece)->ignored = true;
    for (size_t i = 0; i < settings->level.n; i++)
        for (const char *rest = settings->level.items[i]; next_piece(&rest, &piece);)
            if (cut_pair(piece, &rule, &level))
                choice_of(wanted, rule)->level = find_level(level);
}

/* ---- paths ---- */

static void go_to_file(struct wanted *wanted, uint32_t file)
{
    const struct xds_slice name = xds_report_file(wanted->report, file);
    const size_t len = wanted->folder ? strlen(wanted->folder) : 0;
    char *given = strndup(name.data ? name.data : "", name.len);

    free(wanted->path);
    wanted->file = file;
    wanted->path = given ? realpath(given, NULL) : NULL;
    wanted->below_folder = NULL;
    if (wanted->path && len > 0 && strncmp(wanted->path, wanted->folder, len) == 0 &&
        (wanted->path[len] == '/' || len == 1))
        wanted->below_folder = wanted->path + len + (len > 1);
    free(given);
}

/* A pattern without a slash is that of a name, and '*' goes across slashes. */
static bool is_like(const struct wanted *wanted, const char *pattern)
{
    const char *of = wanted->below_folder;

    if (!wanted->path)
        return false;
    if (pattern[0] == '/')
        of = wanted->path;
    else if (!strchr(pattern, '/'))
        of = strrchr(wanted->path, '/') + 1;
    return of && fnmatch(pattern, of, 0) == 0;
}

static bool names(struct xds_slice list, const struct xds_rule *rule)
{
    struct xds_slice name;
    const char *hint;

    for (const char *rest = list.data; next_piece(&rest, &name);)
        if (xds_rule_find(name, &hint) == rule)
            return true;
    return false;
}

static bool is_ignored_in(const struct wanted *wanted, const char *item,
                          const struct xds_rule *rule)
{
    struct xds_slice pattern, rules;
    char text[PATH_MAX];

    if (!cut_pair(slice_of(item), &pattern, &rules) || pattern.len >= sizeof text ||
        !names(rules, rule))
        return false;
    memcpy(text, pattern.data, pattern.len);
    text[pattern.len] = '\0';
    return is_like(wanted, text);
}

/* Without these nothing else can be found: it is not xDS, or there is nothing. */
static bool is_of_input(const struct xds_finding *finding)
{
    return finding->rule->effect == XDS_EFFECT_SYNTAX ||
           (finding->resource == XDS_NO_RESOURCE && finding->level == XDS_LEVEL_ERROR);
}

static bool is_wanted(const struct xds_finding *finding, void *user)
{
    struct wanted *wanted = user;
    const struct text_list *patterns = &wanted->settings->per_file_ignores;
    const struct xds_rule *rule = finding->rule;
    const struct choice *choice = &wanted->choices[rule - wanted->rules];

    if (choice->ignored || (choice->level && choice->level->is_off))
        return false;
    if (wanted->settings->select.n > 0 && !choice->selected && !is_of_input(finding))
        return false;
    if (patterns->n > 0 && finding->at.file != wanted->file)
        go_to_file(wanted, finding->at.file);
    for (size_t i = 0; i < patterns->n; i++)
        if (is_ignored_in(wanted, patterns->items[i], rule))
            return false;
    return true;
}

enum xds_status rules_apply(const struct lint_settings *settings,
                            struct xds_report *report)
{
    struct wanted wanted = {.settings = settings, .report = report, .file = UINT32_MAX};
    enum xds_status status;

    if (settings->select.n + settings->ignore.n + settings->level.n +
            settings->per_file_ignores.n ==
        0)
        return XDS_OK;
    wanted.rules = xds_rules(&wanted.n_rules);
    wanted.choices = calloc(wanted.n_rules, sizeof *wanted.choices);
    if (!wanted.choices)
        return XDS_ERR_NO_MEMORY;
    wanted.folder = realpath(".", NULL);
    read_choices(&wanted);
    for (size_t i = 0; i < wanted.n_rules; i++) {
        const struct level *level = wanted.choices[i].level;

        if (level && !level->is_off)
            xds_report_set_level(report, &wanted.rules[i], level->level);
    }
    status = xds_report_keep(report, is_wanted, &wanted);
    free(wanted.choices);
    free(wanted.folder);
    free(wanted.path);
    return status;
}

/* ---- the exit status ---- */

size_t lint_counted(const struct lint_settings *settings, struct xds_summary sum)
{
    size_t counted = sum.errors;

    if (settings->fail_on >= FAIL_ON_WARNING)
        counted += sum.warnings;
    if (settings->fail_on >= FAIL_ON_NOTE)
        counted += sum.notes;
    return counted;
}

int lint_verdict(const struct lint_settings *settings, struct xds_summary sum)
{
    return lint_counted(settings, sum) > 0 && !settings->exit_zero ? EXIT_FINDINGS
                                                                   : EXIT_CLEAN;
}

/* The first that could not be read; without a line where that is not known. */
static struct xds_place first_unread(const struct xds_report *report,
                                     const struct xds_read_sum *sum)
{
    for (size_t i = 0; sum->unread == 0 && i < xds_report_resources(report); i++)
        if (xds_report_resource(report, i)->unreadable)
            return xds_report_resource(report, i)->at;
    return sum->first;
}

int lint_unread(const struct input *input, const char *why)
{
    const struct xds_read_sum sum = xds_source_sum(input->source);
    const struct xds_place at = first_unread(input->report, &sum);

    if (sum.unread + sum.unreadable == 0)
        return EXIT_CLEAN;
    const struct xds_slice file = at.line > 0 ? xds_report_file(input->report, at.file)
                                              : slice_of(input_name(input));
    char message[128];

    (void)snprintf(message, sizeof message, "the input could not be read: %s", why);
    (void)!xds_report_add_error(input->report, file, at.line, slice_of(message));
    return trouble(input->command, "%s%s could not be read: %s",
                   sum.resources + sum.others > sum.unreadable ? "a part of " : "",
                   input_name(input), why);
}
