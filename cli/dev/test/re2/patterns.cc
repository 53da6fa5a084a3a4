// patterns.cc - a stream of patterns: given, mutated and made from RE2's grammar.
//
// Gives:  mostly patterns that RE2 takes, with everything its grammar knows, and what
//         Perl knows and RE2 does not; bytes that are no UTF-8; sizes up to the limits.
#include "patterns.h"

#include <string.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

using std::string;

namespace {

class Grammar {
  public:
    explicit Grammar(Random &random) : random_(random)
    {
    }

    string Alternation(int depth)
    {
        string out = Concatenation(depth);
        size_t branches = random_.Chance(30) ? 1 + random_.Below(3) : 0;
        const string shared = random_.Chance(30) ? Atom(0) : "";

        for (; branches; branches--)
            out += "|" + shared + (random_.Chance(12) ? "" : Concatenation(depth));
        return out;
    }

  private:
    string Concatenation(int depth)
    {
        string out;

        for (size_t n = random_.Below(5); n; n--)
            out += Repeated(depth);
        return out;
    }

    string Repeated(int depth)
    {
        string out = Atom(depth);

        if (random_.Chance(30))
            out += Repetition();
        if (random_.Chance(1))
            out += Repetition(); // mostly an error
        return out;
    }

    string Count()
    {
        static const int large[] = {7, 10, 31, 100, 250, 333, 500, 999, 1000, 1001};

        return std::to_string(random_.Chance(4) ? random_.Pick(large)
                                                : int(random_.Below(5)));
    }

    string Repetition()
    {
        static const char *const plain[] = {"*", "+", "?"};
        string out = random_.Pick(plain);

        if (random_.Chance(30)) {
            out = "{" + Count();
            if (random_.Chance(50))
                out += ",";
            if (out.back() == ',' && random_.Chance(60))
                out += Count();
            out += random_.Chance(2) ? "" : "}";
        }
        return out + (random_.Chance(20) ? "?" : "");
    }

    string Atom(int depth)
    {
        switch (random_.Below(20)) {
        case 0:
            return random_.Pick(kWide);
        case 1:
            return ".";
        case 2:
        case 3:
            return Class();
        case 4:
            return random_.Pick(kSets);
        case 5:
            return random_.Pick(kUnicode);
        case 6:
            return random_.Pick(kAssertions);
        case 7:
            return random_.Pick(kEscapes);
        case 8:
            return random_.Chance(15) ? random_.Pick(kOdd) : "a";
        case 9:
        case 10:
        case 11:
        case 12:
            return depth > 0 ? Group(depth - 1) : "b";
        default:
            return random_.Pick(kLetters);
        }
    }

    string Flags()
    {
        string out = "(?";

        for (size_t n = 1 + random_.Below(2); n; n--)
            out += random_.Pick(kFlags);
        if (random_.Chance(20))
            out += string("-") + random_.Pick(kFlags);
        return out;
    }

    string Group(int depth)
    {
        switch (random_.Below(10)) {
        case 0:
            return Flags() + ")";
        case 1:
        case 2:
            return Flags() + ":" + Alternation(depth) + ")";
        case 3:
            return string("(?P<") + random_.Pick(kNames) + ">" + Alternation(depth) + ")";
        case 4:
        case 5:
        case 6:
            return "(?:" + Alternation(depth) + ")";
        default:
            return "(" + Alternation(depth) + ")";
        }
    }

    string Member()
    {
        switch (random_.Below(8)) {
        case 0:
            return random_.Pick(kPosix);
        case 1:
            return random_.Pick(kSets);
        case 2:
            return random_.Chance(40) ? random_.Pick(kUnicode) : random_.Pick(kEscapes);
        case 3:
            return random_.Pick(kWide);
        case 4:
        case 5:
            return random_.Pick(kRanges);
        default:
            return random_.Pick(kMembers);
        }
    }

    string Class()
    {
        string out = random_.Chance(25) ? "[^" : "[";

        for (size_t n = random_.Chance(2) ? 0 : 1 + random_.Below(4); n; n--)
            out += Member();
        return out + (random_.Chance(1) ? "" : "]");
    }

    static const std::vector<string> kLetters, kWide, kSets, kUnicode, kAssertions,
        kEscapes, kOdd, kFlags, kNames, kPosix, kRanges, kMembers;
    Random &random_;
};

const std::vector<string> Grammar::kLetters = {
    "a", "b",    "c",    "A",    "B", "k", "K", "s", "S", "z",  "0",  "1",   "9",
    "/", "[Kk]", "[Ss]", "[Aa]", "-", "_", " ", ",", ":", "=",  "#",  "@",   "%",
    "&", "~",    "\"",   "'",    "<", ">", "!", "]", "}", "\n", "\t", "api", "v1"};
const std::vector<string> Grammar::kWide = {
    "\xc3\xa9",         "\xc3\x89",     "\xc3\x9f",         "\xe1\xba\x9e",
    "\xe2\x84\xaa",     "\xc5\xbf",     "\xcf\x83",         "\xcf\x82",
    "\xce\xa3",         "\xe6\x97\xa5", "\xf0\x9f\x98\x80", "\xf0\x90\x90\x80",
    "\xf4\x8f\xbf\xbf", "\xed\xa0\x80", "\xc2\x85",         "\xe2\x80\xa8",
    "\xc7\x85",         "\xef\xbf\xbd", "\xce\xa9",         "\xe2\x84\xa6",
    "\xc4\xb0",         "\xc4\xb1"};
const std::vector<string> Grammar::kSets = {"\\d", "\\D", "\\w", "\\W", "\\s", "\\S"};
const std::vector<string> Grammar::kUnicode = {
    "\\pL",         "\\pN",          "\\PL",          "\\p{Greek}", "\\P{Greek}",
    "\\p{^Greek}",  "\\P{^Lu}",      "\\p{Lu}",       "\\p{Ll}",    "\\p{Han}",
    "\\p{Latin}",   "\\p{Any}",      "\\P{Any}",      "\\pZ",       "\\p{Zs}",
    "\\pM",         "\\pC",          "\\p{Cyrillic}", "\\p{Nd}",    "\\pP",
    "\\p{Braille}", "\\p{Cherokee}", "\\p{Georgian}", "\\pS",       "\\p{Lt}"};
const std::vector<string> Grammar::kAssertions = {"^",   "$",   "\\b",   "\\B",
                                                  "\\A", "\\z", "(?m)^", "(?m)$"};
const std::vector<string> Grammar::kEscapes = {
    "\\n",      "\\t",       "\\r",         "\\f",        "\\v",   "\\a",     "\\x41",
    "\\x{e9}",  "\\x7f",     "\\x{10FFFF}", "\\x{1F600}", "\\101", "\\0",     "\\012",
    "\\777",    "\\.",       "\\_",         "\\-",        "\\/",   "\\\\",    "\\]",
    "\\[",      "\\^",       "\\x{D800}",   "\\x{212a}",  "\\xe9", "\\x{80}", "\\x{7ff}",
    "\\x{800}", "\\x{ffff}", "\\x{10000}"};
const std::vector<string> Grammar::kOdd = {"\\C",
                                           "\\Qa.b*\\E",
                                           "\\Q\\E",
                                           "\\Q(",
                                           "\\8",
                                           "\\Z",
                                           "\\G",
                                           "\\E",
                                           "\\1",
                                           "\\x{110000}",
                                           "\\x{}",
                                           "\\x4",
                                           "(?=a)",
                                           "(?!a)",
                                           "(?<=a)",
                                           "(?<!a)",
                                           "(?>a)",
                                           "(?#c)",
                                           "(?<n>a)",
                                           "(?'n'a)",
                                           "(?P=n)",
                                           "(?P>n)",
                                           "(?R)",
                                           "(?|a)",
                                           "(?P<n",
                                           "(?P<>a)",
                                           "(",
                                           ")",
                                           "[",
                                           "{",
                                           "{2}",
                                           "*",
                                           "\\",
                                           "\xff",
                                           "\xc3",
                                           "\xe0\x80\x80",
                                           "\xf4\x90\x80\x80",
                                           "\\p{Cn}",
                                           "\\p{greek}",
                                           "\\p",
                                           "\\pX",
                                           "\\p{L",
                                           "[[:foo:]]",
                                           "[[:<:]]",
                                           "[b-a]",
                                           "[a-\\d]",
                                           "[\\b]",
                                           "(?i-)",
                                           "(?-)",
                                           "()",
                                           "(|)",
                                           "a{,2}",
                                           "a{1",
                                           "a{01}",
                                           string("\0", 1),
                                           string("[\0-a]", 5),
                                           "[[:alpha:]",
                                           "[\\Qa\\E]",
                                           "\\pN\\pL",
                                           "(?i)",
                                           "(?-i)",
                                           "(?s-m:",
                                           "\\c",
                                           "\\h",
                                           "\\X",
                                           "\\K",
                                           "\\N",
                                           "\\R",
                                           "\\u0041",
                                           "$$",
                                           "^^",
                                           "(?P<n>a)(?P<n>b)",
                                           "(?i\xff)",
                                           "\\\xff",
                                           "[\xff]",
                                           "(?P<\xff>a)",
                                           "\\p{\xff}"};
const std::vector<string> Grammar::kFlags = {"i", "m", "s", "U"};
const std::vector<string> Grammar::kNames = {"n", "user", "_1", "\xc3\xa9", "9", "v2"};
const std::vector<string> Grammar::kPosix = {
    "[:alpha:]", "[:digit:]", "[:alnum:]",  "[:upper:]",  "[:lower:]",  "[:space:]",
    "[:punct:]", "[:print:]", "[:graph:]",  "[:cntrl:]",  "[:xdigit:]", "[:word:]",
    "[:blank:]", "[:ascii:]", "[:^digit:]", "[:^space:]", "[:^word:]"};
const std::vector<string> Grammar::kRanges = {"a-z",
                                              "A-Z",
                                              "0-9",
                                              "a-f",
                                              "A-z",
                                              "!-/",
                                              "\\x00-\\x1f",
                                              "\\x{80}-\\x{10ffff}",
                                              "\\x{7f}-\\x{80}",
                                              "\xc3\xa0-\xc3\xbf",
                                              "\xce\xb1-\xcf\x89",
                                              "\xe4\xb8\x80-\xe9\xbf\xbf",
                                              "\\x{400}-\\x{1ffff}",
                                              "\\x{d7ff}-\\x{e000}",
                                              "\\x00-\\x{10ffff}",
                                              "j-l",
                                              "R-t",
                                              "\\x{ff00}-\\x{10450}",
                                              "\\n-\\r",
                                              "*-]",
                                              "+--"};
const std::vector<string> Grammar::kMembers = {"a", "b", "k",  "-", "_", ".", "/",  "^",
                                               "]", "&", "&&", "[", "$", " ", "\n", "Z"};

// ---- sizes -------------------------------------------------------------------------

string Repeat(const string &text, size_t n)
{
    string out;

    while (n--)
        out += text;
    return out;
}

string Deep(Random &random)
{
    static const std::vector<string> opens = {"(", "(?:", "(?i:", "(a|", "(?:x*"};
    const size_t n = 1 + (random.Below(3) ? random.Below(40) : random.Below(5000));
    const string close = random.Chance(30) ? ")*" : ")";

    return Repeat(random.Pick(opens), n) + "a" + Repeat(close, n - random.Chance(5));
}

// Counted repeats whose product is near RE2's limits, of repeats and of memory.
string Large(Random &random)
{
    static const std::vector<string> of = {
        "a",         "\\pL",      ".",     "[a-z]",    "(?:\\pL|x)",
        "(\\w?)",    "\\PN",      "\\W",   "(?i:k|s)", "(?s:.)",
        "\\p{Han}*", "(?:ab|ac)", "[^a]+", "\\b",      "\xc3\xa9"};
    static const int counts[] = {2, 5, 9, 10, 11, 20, 30, 33, 50, 100, 200, 500, 1000};
    string out = random.Pick(of);
    size_t product = 1;

    while (product < 400) {
        const int n = random.Pick(counts);

        product *= size_t(n);
        out = (random.Chance(50) ? "(?:" : "(") + out + random.Pick(of) + "){" +
              (random.Chance(30) ? "0," : "") + std::to_string(n) +
              (random.Chance(10) ? ",}" : "}");
    }
    return random.Chance(20) ? Repeat(out, 1 + random.Below(4)) : out;
}

string Long(Random &random, Grammar &grammar)
{
    string out;

    for (size_t n = 20 + random.Below(80); n; n--)
        out += grammar.Alternation(1);
    return out;
}

// ---- changing what there is --------------------------------------------------------

void Change(Random &random, string &pattern)
{
    static const string signs = "()[]{}|*+?^$.\\-,:<>=!PiQEdwpLa0\n\xff\xc3\xa9";
    const size_t at = random.Below(pattern.size() + 1);
    const size_t len = std::min(random.Below(4), pattern.size() - at);

    switch (random.Below(4)) {
    case 0:
        pattern.erase(at, 1 + len);
        break;
    case 1:
        pattern.insert(at, 1, signs[random.Below(signs.size())]);
        break;
    case 2:
        pattern.insert(random.Below(pattern.size() + 1), pattern.substr(at, len));
        break;
    default:
        if (at < pattern.size())
            pattern[at] = signs[random.Below(signs.size())];
    }
}

string Mutated(Random &random, const std::vector<string> &given)
{
    string out = random.Pick(given);

    if (random.Chance(20)) {
        const string &other = random.Pick(given);

        out = out.substr(0, random.Below(out.size() + 1)) +
              other.substr(random.Below(other.size() + 1));
    }
    for (size_t n = 1 + random.Below(3); n; n--)
        Change(random, out);
    return out;
}

} // namespace

string MakePattern(Random &random, const std::vector<string> &given)
{
    Grammar grammar(random);

    if (random.Below(400) == 0)
        return Large(random);
    switch (random.Below(50)) {
    case 0:
        return random.Chance(10) ? Deep(random) : random.Pick(given);
    case 1:
        return random.Chance(10) ? Long(random, grammar) : random.Pick(given);
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
        return Mutated(random, given);
    default:
        return grammar.Alternation(int(random.Below(4)));
    }
}

std::vector<string> ReadLines(const string &file)
{
    std::ifstream in(file);
    std::vector<string> out;

    for (string line; std::getline(in, line);)
        if (line.rfind("# ", 0) != 0)
            out.push_back(line);
    return out;
}

// The text of a YAML or JSON string that begins at `at`, nearly.
static string Value(const string &text, size_t at)
{
    at = text.find_first_not_of(" {", at);
    if (at == string::npos)
        return "";
    const char quote = text[at] == '"' || text[at] == '\'' ? text[at++] : 0;
    string out;

    for (; at < text.size() && (quote ? text[at] != quote : !strchr(",}\n", text[at]));
         at++) {
        if (quote == '"' && text[at] == '\\' && at + 1 < text.size())
            at++;
        out += text[at];
    }
    return out;
}

std::vector<string> FindRegexes(const string &folder)
{
    std::vector<string> out;

    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file())
            continue;
        std::ifstream in(entry.path());
        std::stringstream text;

        text << in.rdbuf();
        const string all = text.str();
        for (size_t at = 0; (at = all.find("regex", at)) != string::npos; at++) {
            const size_t colon = all.find_first_not_of("\"", at + 5);

            if (colon != string::npos && all[colon] == ':')
                out.push_back(Value(all, colon + 1));
        }
    }
    std::sort(out.begin(), out.end()); // folders have no order of their own
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}
