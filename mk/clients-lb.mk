# The LB policies of clients against those of xdscope simulate: cli/dev/clients/lb/README.md.
CLIENTS    ?= go java
N          ?= 200
SEED       ?= 1
POLICIES   ?=

.PHONY: check-clients-lb
check-clients-lb: $(B)/xdscope
	CLIENTS="$(filter go java go@% java@%,$(CLIENTS))" N=$(N) SEED=$(SEED) POLICIES="$(POLICIES)" XDSCOPE=$< python3 -B cli/dev/clients/lb/check.py
