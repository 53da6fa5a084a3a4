#include "scenario/simulation.h"
enum xds_status xds_print_simulation_dot(const struct xds_printer *to,
                                         struct xds_simulation *simulation)
{
    return xds_print_simulation_json(to, simulation);
}
