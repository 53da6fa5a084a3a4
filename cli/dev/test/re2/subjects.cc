// subjects.cc - texts that a pattern may match, and texts close to them.
//
// Takes:  any pattern. It is read loosely: where the reading differs from RE2's, the
//         text matches less often, and nothing else.
// Gives:  texts sampled from the pattern, then often changed by a few bytes.
#include "subjects.h"

#include <string.h>

#include <algorithm>

using std::string;

namespace {

const size_t kLongest = 300; // bytes of a subject
const int kDeepest = 60;     // groups that are followed

string Utf8(uint32_t rune)
{
    if (rune < 0x80)
        return string(1, char(rune));
    if (rune < 0x800)
        return {char(0xc0 | rune >> 6), char(0x80 | (rune & 63))};
    if (rune < 0x10000)
        return {char(0xe0 | rune >> 12), char(0x80 | (rune >> 6 & 63)),
                char(0x80 | (rune & 63))};
    return {char(0xf0 | (rune >> 18 & 7)), char(0x80 | (rune >> 12 & 63)),
            char(0x80 | (rune >> 6 & 63)), char(0x80 | (rune & 63))};
}

// Walks over a pattern and writes one text of those that it stands for. A part that is
// not chosen is walked over without writing.
class Sampler {
  public:
    Sampler(Random &random, const string &pattern) : random_(random), p_(pattern)
    {
    }

    string Sample()
    {
        string out;

        while (at_ < p_.size()) {
            out += Alternation(0);
            at_++; // an unexpected ")"
        }
        return out.substr(0, kLongest);
    }

  private:
    string Alternation(int depth)
    {
        string out = Concatenation(depth);

        for (size_t seen = 2; at_ < p_.size() && p_[at_] == '|'; seen++) {
            at_++;
            string branch = Concatenation(depth);
            if (random_.Below(seen) == 0)
                out = std::move(branch);
        }
        return out;
    }

    string Concatenation(int depth)
    {
        string out;

        while (at_ < p_.size() && p_[at_] != '|' && p_[at_] != ')') {
            const size_t begin = at_;
            string atom = Atom(depth);
            const size_t end = at_;
            const size_t n = Times();

            if (n != 1 && out.size() + atom.size() * n < kLongest) {
                const size_t behind = at_;
                atom = n ? Again(begin, end, n, atom, depth) : "";
                at_ = behind;
            }
            if (out.size() < kLongest)
                out += atom;
        }
        return out;
    }

    // What is repeated need not be the same each time.
    string Again(size_t begin, size_t end, size_t n, const string &first, int depth)
    {
        string out = first;

        for (size_t i = 1; i < n; i++) {
            if (end - begin > 100 || n > 30) {
                out += first;
                continue;
            }
            at_ = begin;
            out += Atom(depth);
        }
        return out;
    }

    size_t Number()
    {
        size_t n = 0;

        for (; at_ < p_.size() && isdigit(p_[at_] & 0xff) && n < 10000; at_++)
            n = n * 10 + size_t(p_[at_] - '0');
        return n;
    }

    size_t Times()
    {
        const char c = at_ < p_.size() ? p_[at_] : '\0';
        size_t n = 1;

        if (c == '*' || c == '?' || c == '+') {
            at_++;
            n = (c == '+') + random_.Below(c == '?' ? 2 : 4);
        } else if (c == '{' && at_ + 1 < p_.size() && isdigit(p_[at_ + 1] & 0xff)) {
            at_++;
            n = Number();
            if (at_ < p_.size() && p_[at_] == ',') {
                at_++;
                const size_t most = Number();
                n += random_.Below((most > n ? std::min<size_t>(most - n, 3) : 2) + 1);
            }
            at_++;
        } else {
            return 1;
        }
        at_ += at_ < p_.size() && p_[at_] == '?';
        return n;
    }

    string Atom(int depth)
    {
        const char c = p_[at_];

        if (c == '(')
            return Group(depth);
        if (c == '[')
            return Class();
        if (c == '\\')
            return Escape();
        at_++;
        if (c == '.')
            return Anything();
        if (c == '^' || c == '$')
            return random_.Chance(5) ? "\n" : "";
        string out(1, c);
        while (at_ < p_.size() && (p_[at_] & 0xc0) == 0x80 && (c & 0x80))
            out += p_[at_++];
        return out;
    }

    string Group(int depth)
    {
        at_++;
        if (depth > kDeepest) {
            at_ = p_.size();
            return "";
        }
        if (at_ < p_.size() && p_[at_] == '?') {
            const size_t end = p_.find_first_of(":>)", at_);

            at_ = end == string::npos ? p_.size() : end;
            if (at_ < p_.size() && p_[at_] == ')') {
                at_++;
                return "";
            }
            at_ += at_ < p_.size();
        }
        string out = Alternation(depth + 1);
        at_ += at_ < p_.size();
        return out;
    }

    string Anything()
    {
        static const std::vector<string> some = {
            "a", "/", "0", " ", "\n", "\xc3\xa9", "\xe6\x97\xa5", "\xf0\x9f\x98\x80",
            "Z"};
        return random_.Pick(some);
    }

    string Unicode()
    {
        static const std::vector<string> some = {"a",
                                                 "Z",
                                                 "5",
                                                 "\xce\xb1",
                                                 "\xce\xa9",
                                                 "\xc7\x85",
                                                 "\xd9\xa3",
                                                 "\xe6\x97\xa5",
                                                 " ",
                                                 "-",
                                                 "+",
                                                 "\xcc\x81",
                                                 "\xe2\x80\xa8",
                                                 "\xd0\x96",
                                                 "\xe2\xa0\x81"};

        if (at_ < p_.size() && p_[at_] == '{')
            at_ = std::min(p_.find('}', at_), p_.size() - 1);
        at_++;
        return random_.Pick(some);
    }

    string Set(const char *members)
    {
        return string(1, members[random_.Below(strlen(members))]);
    }

    string Hex()
    {
        if (at_ >= p_.size())
            return "";
        const bool braces = p_[at_] == '{';
        const size_t begin = at_ + braces;
        const size_t end = braces ? std::min(p_.find('}', at_), p_.size()) : begin + 2;
        const string digits = p_.substr(begin, std::min<size_t>(end - begin, 6));

        at_ = end + braces;
        return Utf8(uint32_t(strtoul(digits.c_str(), nullptr, 16)) & 0x1fffff);
    }

    string Octal()
    {
        uint32_t rune = 0;

        for (int i = 0; i < 3 && at_ < p_.size() && p_[at_] >= '0' && p_[at_] <= '7'; i++)
            rune = rune * 8 + uint32_t(p_[at_++] - '0');
        return Utf8(rune);
    }

    string Quoted()
    {
        const size_t end = std::min(p_.find("\\E", at_), p_.size());
        const string out = p_.substr(at_, end - at_);

        at_ = std::min(end + 2, p_.size());
        return out;
    }

    string Escape()
    {
        static const char letters[] = "ntrfva", bytes[] = "\n\t\r\f\v\a";

        if (++at_ >= p_.size())
            return "";
        const char c = p_[at_++];
        if (const char *l = strchr(letters, c))
            return string(1, bytes[l - letters]);
        switch (c) {
        case 'd':
            return Set("0123456789");
        case 'w':
            return Set("abcXYZ019_");
        case 's':
            return Set(" \t\n\r\f");
        case 'D':
        case 'W':
        case 'S':
            return Anything();
        case 'p':
        case 'P':
            return Unicode();
        case 'x':
            return Hex();
        case 'Q':
            return Quoted();
        case 'C':
            return random_.Chance(50) ? "\xff" : "c";
        case 'b':
        case 'B':
        case 'A':
        case 'z':
            return "";
        default:
            if (c >= '0' && c <= '7') {
                at_--;
                return Octal();
            }
            return string(1, c);
        }
    }

    string Member()
    {
        if (p_.compare(at_, 2, "[:") == 0) {
            const size_t end = p_.find(":]", at_);
            if (end != string::npos) {
                at_ = end + 2;
                return Set("aB3 _-.\t~f\x7f");
            }
        }
        return p_[at_] == '\\' ? Escape() : Atom1();
    }

    string Atom1()
    {
        string out(1, p_[at_++]);

        while (at_ < p_.size() && (p_[at_] & 0xc0) == 0x80 && (out[0] & 0x80))
            out += p_[at_++];
        return out;
    }

    string Class()
    {
        const bool negated = ++at_ < p_.size() && p_[at_] == '^';
        string out, last;

        at_ += negated;
        for (size_t seen = 1; at_ < p_.size() && (p_[at_] != ']' || seen == 1); seen++) {
            string member = Member();
            if (member == "-" && !last.empty() && at_ < p_.size() && p_[at_] != ']')
                member = Between(last, Member());
            if (random_.Below(seen) == 0)
                out = member;
            last = member;
        }
        at_++;
        return negated ? Anything() : out;
    }

    // Of a range, both ends or, among ASCII, what lies between.
    string Between(const string &lo, const string &hi)
    {
        if (lo.size() == 1 && hi.size() == 1 && lo[0] > 0 && lo[0] < hi[0])
            return string(1,
                          char(lo[0] + char(random_.Below(size_t(hi[0] - lo[0]) + 1))));
        return hi;
    }

    Random &random_;
    const string &p_;
    size_t at_ = 0;
};

void Change(Random &random, string &text)
{
    static const std::vector<string> parts = {"\n",
                                              "a",
                                              "A",
                                              "\xff",
                                              "\xc3",
                                              "\xe2\x84\xaa",
                                              "\xc5\xbf",
                                              "\xed\xa0\x80",
                                              " ",
                                              "\xc0\x80",
                                              "\xf4\x90\x80\x80",
                                              "\xe0\x80\x80",
                                              "/",
                                              "0",
                                              "_",
                                              "\xc3\x89",
                                              "\x80"};
    const size_t at = random.Below(text.size() + 1);

    switch (random.Below(5)) {
    case 0:
        text.erase(at, 1);
        break;
    case 1:
        text.insert(at, random.Pick(parts));
        break;
    case 2:
        text += random.Pick(parts);
        break;
    case 3: // the other case
        for (char &c : text)
            if (isalpha(c & 0xff) && random.Chance(50))
                c ^= 0x20;
        break;
    default:
        text = text.substr(0, at) + text.substr(random.Below(text.size() + 1));
    }
}

} // namespace

std::vector<string> MakeSubjects(Random &random, const string &pattern, size_t n)
{
    static const std::vector<string> fixed = {
        "", "\n", "a", "a\n", "\xff", string("\0", 1), "ab", "A", "\xc3\xa9", "aaaa"};
    std::vector<string> out;

    for (size_t i = 0; i < n; i++) {
        string text =
            random.Chance(10) ? random.Pick(fixed) : Sampler(random, pattern).Sample();
        for (size_t changes = i ? random.Below(3) : 0; changes; changes--)
            Change(random, text);
        out.push_back(text);
    }
    return out;
}
