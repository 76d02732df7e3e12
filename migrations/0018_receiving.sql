-- The exact bodies of received requests, one signature scheme per webhook, and an index of deliveries by organization.

-- The request body as it was received; null for Atrium events and for events received before this column existed, whose
-- parsed body is the payload.
alter table events add column body bytea;

alter table events drop constraint events_status_check;
alter table events add constraint events_status_check
  check (status in ('received', 'filtered', 'held', 'retrying', 'delivered', 'failed', 'rejected')) not valid;
update events e set status = 'retrying' from deliveries d
where d.status = 'retrying' and e.org_id = d.org_id and e.id = d.event_id and e.status in ('received', 'delivered');

-- The signature scheme that the webhook accepts; `auto` accepts any scheme.
alter table webhooks add column scheme text not null default 'auto';
-- Webhooks of a known source get the scheme by which their events of the last month were verified, so that they
-- continue to receive. Without such events, or with several schemes, a webhook accepts any scheme until `scheme` is
-- set.
update webhooks w set scheme = case
    when used.schemes <@ known.verified then known.scheme
    when cardinality(used.schemes) = 1 then used.schemes[1]
    else 'auto' end
from (values
    ('github', 'github', array['github']),
    ('gitlab', 'gitlab', array['standard', 'secret']),
    ('stripe', 'stripe', array['stripe']),
    ('slack', 'slack', array['slack']),
    ('linear', 'linear', array['linear']),
    ('openai', 'standard', array['standard']),
    ('clerk', 'standard', array['standard']),
    ('resend', 'standard', array['standard']),
    ('svix', 'standard', array['standard'])
  ) as known (source, scheme, verified),
  lateral (
    select org_id, id, array_agg(distinct verified_by) as schemes from (
      select h.org_id, h.id, e.verification ->> 'scheme' as verified_by
      from webhooks h join events e on e.org_id = h.org_id and e.webhook_id = h.id
      where lower(h.source) = known.source and e.direction = 'inbound' and e.verification ->> 'result' = 'valid'
    ) verified group by org_id, id
  ) used
where lower(w.source) = known.source and used.org_id = w.org_id and used.id = w.id;

-- One row per webhook and account at its source whose events the webhook has verified. Some sources send the events of
-- all accounts to one URL: the account in a request limits the number of secrets to compare.
create table webhook_accounts (
  org_id uuid not null,
  webhook_id uuid not null,
  account text not null,
  learned_at timestamptz(3) not null,
  primary key (org_id, webhook_id, account),
  foreign key (org_id, webhook_id) references webhooks on delete cascade
);
create index webhook_accounts_account on webhook_accounts (account, learned_at);

-- Due deliveries by organization and webhook, so that organizations take turns.
create index deliveries_due on deliveries (org_id, webhook_id, next_attempt_at) where status in ('pending', 'retrying');
drop index deliveries_open;
