/*
 * case_played.c - the plays of a case: its configuration in a server, one RPC a line.
 *
 * Each client of the line's --client is asked; those that answer alike share a line.
 */
#include "cli/dev/test/case_played.h"

#include "cli/dev/test/case_input.h"
#include "cli/dev/test/case_text.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLIENTS = 16, MOST_WORDS = 120 };

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(member(object, key));

    return text ? text : "";
}

/* Control characters would break the lines of a case. */
static void add_line(struct case_text *out, const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            case_text_add(out, "\\x%02x", (unsigned)*c);
        else
            case_text_add(out, "%c", *c);
}

/* denied PERMISSION_DENIED by policy "p", chain #0: Unauthorized RPC rejected */
static void add_decision(struct case_text *out, const cJSON *decision)
{
    const cJSON *status = member(decision, "status"),
                *chain = member(decision, "filter_chain");
    const cJSON *index = member(chain, "index");
    const char *code = text_of(status, "code"), *policy = text_of(decision, "policy");
    const char *reason = text_of(decision, "reason"), *said = text_of(status, "message");

    case_text_add(out, "%s%s%s", text_of(decision, "outcome"), *code ? " " : "", code);
    if (*policy)
        case_text_add(out, " by policy \"%s\"", policy);
    if (cJSON_IsNumber(index))
        case_text_add(out, ", chain #%d", index->valueint);
    else if (cJSON_IsObject(chain))
        case_text_add(out, ", default chain");
    if (*reason || *said) {
        case_text_add(out, ": ");
        add_line(out, *reason ? reason : said);
    }
}

/* What the program has said, in a line. */
static char *read_answer(void)
{
    char *json = case_read_text(".stdout", NULL),
         *words = case_read_text(".stderr", NULL);
    cJSON *decision = json ? cJSON_Parse(json) : NULL;
    struct case_text out = {NULL, 0};

    if (decision)
        add_decision(&out, decision);
    else
        case_text_add(&out, "%.*s", words ? (int)strcspn(words, "\n") : 0,
                      words ? words : "");
    cJSON_Delete(decision);
    free(json);
    free(words);
    return out.data;
}

struct answers {
    char *client[MOST_CLIENTS], *said[MOST_CLIENTS];
    size_t n;
};

/* The value after --client, or NULL. */
static char **clients_of(char **words)
{
    for (; *words; words++)
        if (strcmp(*words, "--client") == 0)
            return words[1] ? words + 1 : NULL;
    return NULL;
}

static void ask_all(char **words, case_runner run, void *user, struct answers *answers)
{
    char **clients = clients_of(words), *rest = NULL;

    for (char *name = clients ? strtok_r(*clients, ",", &rest) : NULL;
         name && answers->n < MOST_CLIENTS; name = strtok_r(NULL, ",", &rest)) {
        *clients = name;
        run(user, words);
        answers->client[answers->n] = name;
        answers->said[answers->n++] = read_answer();
    }
}

static bool is_said_before(const struct answers *answers, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(answers->said[k], answers->said[i]) == 0)
            return true;
    return false;
}

static void add_answers(struct case_text *out, struct answers *answers)
{
    for (size_t i = 0; i < answers->n; i++) {
        if (is_said_before(answers, i))
            continue;
        case_text_add(out, "%s", answers->client[i]);
        for (size_t k = i + 1; k < answers->n; k++)
            if (strcmp(answers->said[k], answers->said[i]) == 0)
                case_text_add(out, ", %s", answers->client[k]);
        case_text_add(out, ": %s\n", answers->said[i]);
    }
    for (size_t i = 0; i < answers->n; i++)
        free(answers->said[i]);
}

static void play_line(char *line, case_runner run, void *user, struct case_text *out)
{
    static char program[] = "xdscope", quiet[] = "-q", format[] = "-f", json[] = "json";
    char *words[MOST_WORDS + 5] = {program};
    struct answers answers = {.n = 0};
    const size_t n = case_split_words(line, words + 1, MOST_WORDS);

    words[n + 1] = quiet;
    words[n + 2] = format;
    words[n + 3] = json;
    words[n + 4] = NULL;
    ask_all(words, run, user, &answers);
    add_answers(out, &answers);
}

char *case_play(const struct case_file *c, case_runner run, void *user)
{
    const struct case_section *plays = case_find(c, "plays");
    char *text = case_copy(plays->text), *rest = NULL;
    struct case_text out = {NULL, 0};
    const char *separator = "";

    case_text_add(&out, "%s", "");
    for (char *line = strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        if (*line == '#')
            continue;
        case_text_add(&out, "%s", separator);
        play_line(line, run, user, &out);
        separator = "\n";
    }
    free(text);
    return out.data;
}

bool case_lacks_plays(const struct case_file *c)
{
    static const char *const words[] = {
        "filter_chains", "default_filter_chain", "filterChains",     "FilterChain\"",
        "http.rbac",     "DownstreamTls",        "use_original_dst",
    };
    const struct case_section *args = case_find(c, "args");

    if (!strstr(c->path, "testdata/rules/") || case_find(c, "plays") ||
        strncmp(args->text, "lint", 4) != 0)
        return false;
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (!case_is_output(c->section[i].name) &&
                strstr(c->section[i].text, words[k]))
                return true;
    return false;
}
