-- Whether a webhook accepts requests at its receiving URL. An outgoing webhook does not.
alter table webhooks add column receives boolean not null default true,
  add constraint webhooks_purpose check (receives or url is not null);
