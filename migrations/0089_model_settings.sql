-- Prices and context windows that admins set for models, by organization.
create table model_settings (
  org_id uuid not null references organizations,
  -- `provider/model`
  model text not null,
  -- US dollars per million tokens: `{ "input", "output", "cacheRead" }`. Null if the price comes from another source.
  pricing jsonb,
  -- In tokens.
  context_window integer check (context_window > 0),
  updated_by uuid references users on delete set null,
  updated_at timestamptz(3) not null,
  primary key (org_id, model)
);

-- `organization`: a price that an admin set. Existing rows need no check: all of them meet the former constraint.
alter table usage drop constraint usage_price_source_check;
alter table usage add constraint usage_price_source_check
  check (price_source in ('organization', 'operator', 'provider', 'table', 'estimate', 'unknown')) not valid;
