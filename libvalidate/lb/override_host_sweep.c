/*
 * override_host_sweep.c - connections that no session has used for long are closed.
 *
 * Source: gRFC A75, spec routing 8.5.
 */
#include "lb/override_host_parts.h"

#define MIN_SWEEP_MS 5000

int64_t xds_override_host_idle_since(const struct xds_override_host *self)
{
    return self->policy.machine->clock.now_ms - self->idle_timeout_ms;
}

static bool used_lately(const struct xds_override_host *self,
                        const struct xds_override_entry *entry)
{
    return entry->last_used_ms > xds_override_host_idle_since(self);
}

/* Until the first of the entries in use will have been idle for long enough. */
static int64_t sweep_delay(const struct xds_override_host *self, bool *calm)
{
    int64_t delay = self->idle_timeout_ms;

    *calm = true;
    for (size_t i = 0; i < self->n_all; i++) {
        const struct xds_override_entry *entry = self->all[i];
        if (!entry->in_map)
            continue;
        *calm &= entry->owner != XDS_SUBCHANNEL_OURS && !used_lately(self, entry);
        if (used_lately(self, entry) &&
            entry->last_used_ms - xds_override_host_idle_since(self) < delay)
            delay = entry->last_used_ms - xds_override_host_idle_since(self);
    }
    return delay < MIN_SWEEP_MS ? MIN_SWEEP_MS : delay;
}

/* Of the sweeps that find nothing on the way to a far time only the last is played. */
void xds_override_host_set_sweep(struct xds_override_host *self)
{
    struct xds_clock *clock = &self->policy.machine->clock;
    const int64_t way = clock->until_ms - clock->now_ms;
    bool calm;
    const int64_t delay = sweep_delay(self, &calm);

    self->calm_ms = calm ? delay : 0;
    xds_clock_set(clock, &self->sweep,
                  clock->now_ms + (calm && way > delay ? way / delay * delay : delay));
    if (self->hooks.sweep_set)
        self->hooks.sweep_set(self->hooks.user, delay);
}

/* From now on a sweep may find something: the next one is no more left out. */
void xds_override_host_wake_sweep(struct xds_override_host *self)
{
    struct xds_clock *clock = &self->policy.machine->clock;
    const int64_t left = self->sweep.at_ms - clock->now_ms;

    if (self->calm_ms && left > self->calm_ms)
        xds_clock_set(clock, &self->sweep,
                      self->sweep.at_ms - (left - 1) / self->calm_ms * self->calm_ms);
    self->calm_ms = 0;
}

void xds_override_host_sweep(struct xds_timer *timer)
{
    struct xds_override_host *self = timer->owner;
    bool empty = true;

    for (size_t i = 0; i < self->n_all; i++) {
        struct xds_override_entry *entry = self->all[i];

        empty &= !entry->in_map;
        if (entry->owner != XDS_SUBCHANNEL_OURS || used_lately(self, entry))
            continue;
        XDS_OVERRIDE_SAY(
            self, "closes its own connection to %.*s: no session has used it lately",
            XDS_FMT(entry->address));
        xds_override_host_drop(self, entry);
    }
    if (!empty)
        xds_override_host_set_sweep(self);
}
