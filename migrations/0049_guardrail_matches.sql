-- One row per match of a guardrail in a run, without the text that matched.
create table guardrail_matches (
  org_id uuid not null,
  run_id uuid not null,
  id uuid not null,
  step integer not null,
  -- The tool call whose input or output matched.
  call_id text,
  guardrail_id uuid not null,
  name text not null,
  stage text not null check (stage in ('input', 'tool', 'output')),
  action text not null check (action in ('block', 'redact', 'flag')),
  -- The number of matches by label.
  labels jsonb not null,
  at timestamptz(3) not null,
  primary key (org_id, run_id, id)
);
