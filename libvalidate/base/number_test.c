/* number_test.c - the same results as libm. */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>

#include "base/number.h"

Test(number, rounds_down_as_floor_does)
{
    static const double values[] = {
        0,       0.5,     0.999999999, 1,      1.5,    2147483648.5, 4503599627370495.5,
        0x1p53,  0x1p61,  0x1p62,      0x1p63, 0x1p64, 1e300,        INFINITY,
        DBL_MIN, DBL_MAX,
    };

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        cr_expect_eq(xds_floor(values[i]), floor(values[i]), "%g", values[i]);
        cr_expect_eq(xds_floor(-values[i]), floor(-values[i]), "%g", -values[i]);
    }
    cr_expect(isnan(xds_floor(NAN)));
}
