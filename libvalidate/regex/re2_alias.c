/*
 * re2_alias.c - the names of classes that Go's engine knows besides those of RE2.
 *
 * Source: Unicode 15.0, PropertyValueAliases.txt; Go, regexp/syntax/parse.go,
 *         unicodeTable() and canonicalName().
 */
#include "regex/re2_runes.h"

#include "base/ascii.h"

static const struct alias {
    const char *name;
    const char *categories; /* with blanks between; "^": all that is in none of them;
                               NULL: RE2 has the name too, in this case */
} aliases[] = {
    {"ASCII", ""},
    {"Any", NULL},
    {"Assigned", "L M N P S Z C"},
    {"C", NULL},
    {"Cased_Letter", "Lu Ll Lt"},
    {"Close_Punctuation", "Pe"},
    {"Cn", "^L M N P S Z C"},
    {"Cntrl", "Cc"},
    {"Combining_Mark", "M"},
    {"Connector_Punctuation", "Pc"},
    {"Control", "Cc"},
    {"Currency_Symbol", "Sc"},
    {"Dash_Punctuation", "Pd"},
    {"Decimal_Number", "Nd"},
    {"Digit", "Nd"},
    {"Enclosing_Mark", "Me"},
    {"Final_Punctuation", "Pf"},
    {"Format", "Cf"},
    {"Initial_Punctuation", "Pi"},
    {"L", NULL},
    {"LC", "Lu Ll Lt"},
    {"Letter", "L"},
    {"Letter_Number", "Nl"},
    {"Line_Separator", "Zl"},
    {"Lowercase_Letter", "Ll"},
    {"M", NULL},
    {"Mark", "M"},
    {"Math_Symbol", "Sm"},
    {"Modifier_Letter", "Lm"},
    {"Modifier_Symbol", "Sk"},
    {"N", NULL},
    {"Nonspacing_Mark", "Mn"},
    {"Number", "N"},
    {"Open_Punctuation", "Ps"},
    {"Other", "C"},
    {"Other_Letter", "Lo"},
    {"Other_Number", "No"},
    {"Other_Punctuation", "Po"},
    {"Other_Symbol", "So"},
    {"P", NULL},
    {"Paragraph_Separator", "Zp"},
    {"Private_Use", "Co"},
    {"Punct", "P"},
    {"Punctuation", "P"},
    {"S", NULL},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Spacing_Mark", "Mc"},
    {"Surrogate", "Cs"},
    {"Symbol", "S"},
    {"Titlecase_Letter", "Lt"},
    {"Unassigned", "^L M N P S Z C"},
    {"Uppercase_Letter", "Lu"},
    {"Z", NULL},
};

static void add_alias(struct xds_rune_set *set, const struct alias *alias, bool fold)
{
    const bool negate = alias->categories[0] == '^';
    struct xds_rune_set part = {.arena = set->arena};
    struct xds_slice rest = xds_slice_of(alias->categories + negate), name;

    if (rest.len == 0) {
        xds_runes_add(set, 0, 0x7f, fold);
        return;
    }
    while (rest.data) {
        rest = xds_slice_cut(rest, ' ', &name);
        xds_runes_add_named(&part, name, fold);
    }
    xds_runes_normalize(&part);
    if (negate)
        xds_runes_negate(&part);
    for (size_t i = 0; i < part.n; i++)
        xds_runes_add(set, part.range[i].lo, part.range[i].hi, false);
    set->work += part.work;
}

bool xds_runes_add_alias(struct xds_rune_set *set, struct xds_slice name, bool fold)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(aliases); i++)
        if (aliases[i].categories && xds_slice_is(name, aliases[i].name)) {
            add_alias(set, &aliases[i], fold);
            return true;
        }
    return false;
}

/* The next letter that counts, in lower case; -1 at the end. */
static int next_letter(struct xds_slice *name)
{
    while (name->len) {
        const char c = name->data[0];

        *name = xds_slice_from(*name, 1);
        if (c != ' ' && c != '_' && c != '-')
            return (unsigned char)xds_ascii_lower(c);
    }
    return -1;
}

static bool is_spelling(struct xds_slice name, struct xds_slice of)
{
    int a, b;

    do {
        a = next_letter(&name);
        b = next_letter(&of);
    } while (a == b && a >= 0);
    return a == b;
}

struct xds_slice xds_runes_find_spelled(struct xds_slice name)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(aliases); i++)
        if (is_spelling(name, xds_slice_of(aliases[i].name)))
            return xds_slice_of(aliases[i].name);
    for (const struct xds_unicode_group *g = xds_unicode_categories; g->name; g++)
        if (is_spelling(name, xds_slice_of(g->name)))
            return xds_slice_of(g->name);
    for (const struct xds_unicode_group *g = xds_unicode_scripts; g->name; g++)
        if (is_spelling(name, xds_slice_of(g->name)) &&
            xds_runes_known_to_go(xds_slice_of(g->name)))
            return xds_slice_of(g->name);
    return (struct xds_slice){NULL, 0};
}
