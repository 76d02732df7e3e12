-- Some providers send the secret that signs their events in an unsigned request. It is accepted for a short time only.

-- Until when the first secret of the provider is accepted; null if none is.
alter table connector_endpoints add column secret_until timestamptz(3);
