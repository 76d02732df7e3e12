-- The networks from which a share link or public link with a password was opened. Wrong passwords from elsewhere do not
-- delay them.
create table link_visitors (
  org_id uuid not null references organizations,
  link_id uuid not null,
  -- The hash of the link and the network: no IP address is stored.
  network bytea not null,
  opened_at timestamptz(3) not null,
  primary key (org_id, link_id, network)
);
create index link_visitors_opened on link_visitors (opened_at);
