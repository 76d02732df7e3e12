-- What guardrails found in a run; never the text itself.
create table guardrail_matches (
  org_id uuid not null,
  run_id uuid not null,
  id uuid not null,
  step integer not null,
  -- The call whose input or output matched.
  call_id text,
  guardrail_id uuid not null,
  name text not null,
  stage text not null check (stage in ('input', 'tool', 'output')),
  action text not null check (action in ('block', 'redact', 'flag')),
  -- How often, by label.
  labels jsonb not null,
  at timestamptz(3) not null,
  primary key (org_id, run_id, id)
);
