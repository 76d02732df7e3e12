-- One row per guardrail: a rule for texts that agents read or write. The fields of `config` depend on `kind`.
create table guardrails (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  kind text not null check (kind in ('regex', 'pii', 'topic', 'model')),
  stage text not null check (stage in ('input', 'tool', 'output')),
  action text not null check (action in ('block', 'redact', 'flag')),
  config jsonb not null,
  -- Whether the guardrail applies to all agents, and not only to those that list it.
  everywhere boolean not null,
  enabled boolean not null,
  version integer not null default 1,
  created_by uuid references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id)
);

-- The number of matches of guardrails in the run.
alter table runs add column guardrail_matches integer not null default 0;
