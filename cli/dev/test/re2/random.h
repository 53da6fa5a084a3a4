// random.h - numbers that depend on the seed alone, on every machine.
#ifndef XDS_TEST_RE2_RANDOM_H
#define XDS_TEST_RE2_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <string>

class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed)
    {
    }

    // SplitMix64.
    uint64_t Next()
    {
        uint64_t z = (state_ += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    size_t Below(size_t n)
    {
        return n ? Next() % n : 0;
    }
    bool Chance(unsigned percent)
    {
        return Below(100) < percent;
    }
    template <class List> auto Pick(const List &list) -> decltype(list[0])
    {
        return list[Below(std::size(list))];
    }

  private:
    uint64_t state_;
};

#endif
