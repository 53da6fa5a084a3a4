/*
 * config.h - a generated config with all that is printed of it.
 *
 * Takes:  nothing; a record that explain/generate.c fills and print/ formats.
 * What does not exist is NULL, an absent slice or a tree of kind NULL.
 */
#ifndef XDS_CONFIG_CONFIG_H
#define XDS_CONFIG_CONFIG_H

#include "config/lb_config.h"
#include "config/manager.h"

struct xds_config {
    enum xds_config_form form;
    enum xds_client client;
    struct xds_client_label as; /* the client, with its release if one was asked for */
    bool is_lb_config;
    struct xds_slice subject; /* what was asked for, for a heading */
    struct xds_slice error;   /* why there is nothing */
    struct xds_tree document; /* what -f json prints */
    struct xds_tree policies; /* the list of LB policies */
    struct xds_tree methods;  /* METHODS: the list of method configs */
    struct xds_tree facts;    /* LB configs: what each leaf's resources add */
    struct xds_lb_tree lb;    /* LB configs */
    const struct xds_virtual_host *host;
    const size_t *places;            /* A28: in the host, of each route of the config */
    struct xds_config_routes routes; /* CURRENT */
    struct xds_notes notes;
};

#endif
