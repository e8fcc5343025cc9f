#!/bin/sh
# Checks this project from models to numbers; for any CI, and for people. The status is 0 only if every step passed.
# UNISONO names the program; without it `unisono` is looked for on the PATH.
set -eu
cd "$(dirname "$0")/.."
unisono=${UNISONO:-unisono}

"$unisono" validate
"$unisono" load shop.customers data/customers.csv --primary-key id --upsert
"$unisono" load shop.orders data/orders.csv --primary-key id --upsert
"$unisono" pipeline run revenue_by_region
"$unisono" check
