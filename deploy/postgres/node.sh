#!/bin/sh
# When the database is made: the user that nodes log in as. What it may do comes with the role that `turnlog db migrate` grants.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$(cat /run/secrets/node_password)" <<'SQL'
create role turnlog_node nologin;
create role node login password :'password' in role turnlog_node;
SQL
