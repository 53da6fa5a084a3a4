// compare.cc - xdscope's regular expressions beside RE2 itself.
//
// Takes:  RE2_SEED (1), RE2_COUNT (60000 patterns), RE2_SUBJECTS (6 of each pattern);
//         arguments: a file of patterns and a folder to find more in.
// Gives:  counts, and the first differences, each with the seed that repeats it alone.
// Fails:  exit 1 on a difference; also when so much is undecided that nothing is proven.
//
// What is compared: whether C-core takes the pattern, with RE2's words if not; RE2's
// count of instructions, found through max_mem, against our bounds for it; full matches
// as StringMatcher and safe_regex ask for them; RE2::GlobalReplace as hash policies do.
#include <re2/re2.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ours.h"
#include "patterns.h"
#include "subjects.h"

using std::string;

namespace {

// What RE2 subtracts from its memory, and divides by, to get its most instructions.
const int64_t kInstBytes = 8;
const size_t kMostShown = 20;
const size_t kEnough = 1000; // patterns, for the share of what is undecided

enum Check {
    kLimit,
    kVerdicts,
    kInstructions,
    kMatches,
    kReplacements,
    kDecided,
    kChecks
};
const char *const kNames[kChecks] = {"limit",   "verdicts",     "instructions",
                                     "matches", "replacements", "decided"};

struct Counts {
    size_t patterns = 0, accepted = 0, doubts = 0, exact = 0;
    size_t matches = 0, matching = 0, replaced = 0, undecided = 0;
    size_t different[kChecks] = {};
};

string Quoted(const string &text)
{
    string out = "\"";

    for (const char c : text.substr(0, 400)) {
        char byte[8];

        snprintf(byte, sizeof byte, c >= ' ' && c < 0x7f ? "%c" : "\\x%02x", c & 0xff);
        out += c == '"' || c == '\\' ? string("\\") + c : byte;
    }
    return out + (text.size() > 400 ? "\"..." : "\"");
}

RE2::Options Quiet()
{
    RE2::Options options; // the defaults, as C-core takes them

    options.set_log_errors(false);
    return options;
}

// Does the program of a pattern fit into n instructions?
bool FitsInto(const string &pattern, int64_t n, int64_t prog_bytes)
{
    RE2::Options options = Quiet();

    options.set_max_mem((n * kInstBytes + prog_bytes) * 3 / 2 + 2);
    return RE2(pattern, options).ok();
}

// sizeof(Prog) of this libre2: "a" takes 5 instructions, with those around each pattern.
int64_t ProgBytes()
{
    int64_t bytes = 8;

    while (!FitsInto("a", 5, bytes))
        bytes += 8;
    return bytes;
}

class Comparison {
  public:
    Comparison(size_t subjects, int64_t prog_bytes)
        : subjects_(subjects), prog_bytes_(prog_bytes)
    {
    }

    void Try(uint64_t seed, const std::vector<string> &given)
    {
        Random random(seed);

        seed_ = seed;
        pattern_ = MakePattern(random, given);
        TryPattern(random);
    }

    void TryGiven(const string &pattern)
    {
        Random random(seed_ = 0);

        pattern_ = pattern;
        TryPattern(random);
    }

    Counts counts;

  private:
    void TryPattern(Random &random)
    {
        const RE2 theirs(pattern_, Quiet());
        ours_verdict verdict;
        ours *ours = ours_new(pattern_.data(), pattern_.size(), &verdict);

        counts.patterns++;
        CompareVerdicts(theirs, verdict);
        if (theirs.ok() && verdict.accepted) {
            counts.accepted++;
            CompareSizes(verdict);
            if (seed_ % 2 == 0)
                Heat(ours);
            for (const string &subject : MakeSubjects(random, pattern_, subjects_)) {
                CompareMatches(theirs, ours, subject);
                CompareReplacements(random, theirs, ours, subject);
            }
        }
        ours_free(ours);
    }

    void Differ(Check check, const string &what, const string &re2, const string &xdscope)
    {
        counts.different[check]++;
        if (shown_++ < kMostShown)
            printf("RE2_SEED=%llu RE2_COUNT=1: %s: %s\n    RE2 %s\n    xdscope %s\n",
                   static_cast<unsigned long long>(seed_), Quoted(pattern_).c_str(),
                   what.c_str(), re2.c_str(), xdscope.c_str());
    }

    // C-core's own RE2 has the classes of Unicode 14. Those of this one are newer, so
    // that it knows more names and counts other instructions.
    bool HasUnicodeClass() const
    {
        return pattern_.find("\\p") != string::npos ||
               pattern_.find("\\P") != string::npos;
    }

    bool DependsOnUnicode(const RE2 &theirs, const string &error) const
    {
        return HasUnicodeClass() && (theirs.error_code() == RE2::ErrorPatternTooLarge ||
                                     error.find("Kawi") != string::npos ||
                                     error.find("Nag_Mundari") != string::npos);
    }

    void CompareVerdicts(const RE2 &theirs, const ours_verdict &verdict)
    {
        const string error(verdict.error, verdict.error_len);

        if (verdict.in_doubt) {
            counts.doubts++;
            if (theirs.error_code() == RE2::ErrorPatternTooLarge)
                return;
        }
        if (DependsOnUnicode(theirs, error))
            return;
        if (theirs.ok() != bool(verdict.accepted) ||
            (!theirs.ok() && theirs.error() != error))
            Differ(kVerdicts, "verdict", theirs.ok() ? "accepts" : Quoted(theirs.error()),
                   verdict.accepted ? "accepts" : Quoted(error));
    }

    void CompareSizes(const ours_verdict &verdict)
    {
        const int64_t least = int64_t(verdict.least), most = int64_t(verdict.most);
        const bool fits = FitsInto(pattern_, most, prog_bytes_);
        const bool fits_less = FitsInto(pattern_, least - 1, prog_bytes_);

        counts.exact += least == most;
        if (HasUnicodeClass())
            return;
        if (!fits || fits_less)
            Differ(kInstructions, "instructions",
                   !fits ? "more than " + std::to_string(most)
                         : "less than " + std::to_string(least),
                   std::to_string(least) + " to " + std::to_string(most));
    }

    // What is used often is compiled for the machine, which must not change an answer.
    static void Heat(ours *ours)
    {
        for (const string subject : {"", "\xc3\xa9"})
            for (int use = 0; use < 70; use++) {
                const char *text;
                size_t len;

                ours_full_match(ours, subject.data(), subject.size());
                ours_replace(ours, subject.data(), subject.size(), "x", 1, &text, &len);
            }
    }

    void CompareMatches(const RE2 &theirs, const ours *ours, const string &subject)
    {
        const bool want = RE2::FullMatch(subject, theirs);
        const int got = ours_full_match(ours, subject.data(), subject.size());

        counts.matches++;
        counts.matching += want;
        counts.undecided += got == OURS_UNDECIDED;
        if (got != OURS_UNDECIDED && (got == OURS_MATCH) != want)
            Differ(kMatches, "match of " + Quoted(subject), want ? "yes" : "no",
                   want ? "no" : "yes");
    }

    void CompareReplacements(Random &random, const RE2 &theirs, ours *ours,
                             const string &subject)
    {
        static const std::vector<string> with = {
            "<\\0>", "\\1", "[\\1|\\2]", "x", "", "\\2-\\1\\\\", "\\q", "a\\", "\\9"};
        const string &substitution = random.Pick(with);
        string want = subject;
        const char *text = nullptr;
        size_t len = 0;

        RE2::GlobalReplace(&want, theirs, substitution);
        counts.replaced++;
        if (ours_replace(ours, subject.data(), subject.size(), substitution.data(),
                         substitution.size(), &text, &len) == OURS_UNDECIDED) {
            counts.undecided++;
            return;
        }
        const string got = len ? string(text, len) : "";
        if (got != want)
            Differ(kReplacements,
                   "replacing in " + Quoted(subject) + " by " + Quoted(substitution),
                   Quoted(want), Quoted(got));
    }

    const size_t subjects_;
    const int64_t prog_bytes_;
    size_t shown_ = 0;
    uint64_t seed_ = 0;
    string pattern_;
};

uint64_t Setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text && *text ? strtoull(text, nullptr, 10) : otherwise;
}

// The longest literal that RE2 takes: a byte is an instruction, and there are 4 more.
bool HasOurLimit()
{
    const size_t bytes = size_t(ours_most_instructions()) - 4;

    return RE2(string(bytes, 'a'), Quiet()).ok() &&
           !RE2(string(bytes + 1, 'a'), Quiet()).ok();
}

// Newer releases know "(?<name>", and another Unicode.
bool IsAsOldAsThatOfCCore()
{
    return !RE2("(?<name>a)", Quiet()).ok();
}

// Once is enough for what takes RE2 long: it has a count of three digits.
bool IsLarge(const string &pattern)
{
    size_t digits = 0;

    for (const char c : pattern) {
        digits = c == '{' ? 1 : digits && c >= '0' && c <= '9' ? digits + 1 : 0;
        if (digits > 3)
            return true;
    }
    return false;
}

int Report(Counts &c)
{
    size_t passed = 0;

    printf("%zu patterns, %zu accepted, %zu sizes exact, %zu in doubt; "
           "%zu matches, %zu of them yes; %zu replacements; %zu undecided\n",
           c.patterns, c.accepted, c.exact, c.doubts, c.matches, c.matching, c.replaced,
           c.undecided);
    c.different[kLimit] = !HasOurLimit();
    if (c.patterns >= kEnough && c.undecided * 20 > c.matches + c.replaced)
        c.different[kDecided] = c.undecided;
    for (int check = 0; check < kChecks; check++) {
        passed += c.different[check] == 0;
        if (c.different[check])
            printf("%s: %zu differences\n", kNames[check], c.different[check]);
    }
    printf("re2: %zu passed, %zu failed\n", passed, kChecks - passed);
    return passed == kChecks ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    std::vector<string> given = argc > 1 ? ReadLines(argv[1]) : std::vector<string>{"a"};
    const uint64_t seed = Setting("RE2_SEED", 1), count = Setting("RE2_COUNT", 60000);

    if (!IsAsOldAsThatOfCCore()) {
        printf("re2: 0 passed, 0 failed: this libre2 is newer than the one in C-core\n");
        return 0;
    }
    if (argc > 2)
        for (const string &regex : FindRegexes(argv[2]))
            given.push_back(regex);

    Comparison comparison(Setting("RE2_SUBJECTS", 6), ProgBytes());
    for (const string &pattern : given)
        comparison.TryGiven(pattern);
    given.erase(std::remove_if(given.begin(), given.end(), IsLarge), given.end());
    for (uint64_t i = 0; i < count; i++)
        comparison.Try(seed + i, given);
    return Report(comparison.counts);
}
