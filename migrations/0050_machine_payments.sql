-- Payments that agents and programs make, within limits that people set.

-- One row per mandate: the limits within which an API key, an agent or a project pays without an approval.
create table mandates (
  org_id uuid not null references organizations,
  id uuid not null,
  holder text not null check (holder in ('key', 'agent', 'project')),
  holder_id uuid not null,
  currency text not null,
  per_payment numeric(20, 6) not null check (per_payment > 0),
  per_day numeric(20, 6) check (per_day > 0),
  total numeric(20, 6) check (total > 0),
  -- Accounts, hosts or names of payees; empty for any payee.
  payees text[] not null,
  methods text[] not null,
  -- The totals of the payments that the mandate covers; `day_spent` is the total of `day`.
  spent numeric(20, 6) not null default 0 check (spent >= 0 and spent <= total),
  day date not null,
  day_spent numeric(20, 6) not null default 0 check (day_spent >= 0 and day_spent <= per_day),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_by uuid references users,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  primary key (org_id, id),
  check (per_day is not null or total is not null)
);
create index mandates_holder on mandates (org_id, holder_id) where revoked_at is null;

-- One row per payment.
create table machine_payments (
  org_id uuid not null references organizations,
  id uuid not null,
  idempotency_key text not null,
  -- The hash of the request: a repeated key with another body is refused.
  request_hash bytea not null,
  status text not null check (status in ('requires_approval', 'processing', 'succeeded', 'failed', 'unknown', 'recorded',
    'canceled', 'refunded')),
  amount numeric(20, 6) not null check (amount > 0),
  currency text not null,
  reason text not null,
  payee jsonb,
  method text not null,
  -- The provider that transfers the money; null for a payment that is only recorded and never succeeds.
  provider text,
  provider_reference text,
  receipt jsonb,
  metadata jsonb not null,
  project_id uuid,
  run_id uuid,
  agent_id uuid,
  key_id uuid,
  created_by uuid not null references users,
  mandate_id uuid,
  -- The day whose `day_spent` of the mandate includes the payment.
  counted_on date,
  approval_id uuid,
  failure_code text,
  failure_message text,
  refund_status text check (refund_status in ('processing', 'succeeded', 'failed')),
  refund_reference text,
  refund_by uuid references users,
  refund_at timestamptz(3),
  refund_failure jsonb,
  -- When the server requests the result from the provider.
  due_at timestamptz(3),
  inquiries integer not null default 0,
  created_at timestamptz(3) not null,
  settled_at timestamptz(3),
  primary key (org_id, id),
  unique (org_id, idempotency_key),
  foreign key (org_id, mandate_id) references mandates,
  check (status not in ('succeeded', 'refunded', 'processing', 'unknown') or provider is not null),
  check (status <> 'recorded' or provider is null)
);
create index machine_payments_status on machine_payments (org_id, status, id);
create index machine_payments_project on machine_payments (org_id, project_id, id);
create index machine_payments_run on machine_payments (org_id, run_id, id) where run_id is not null;
create index machine_payments_mandate on machine_payments (org_id, mandate_id, id) where mandate_id is not null;
create index machine_payments_due on machine_payments (due_at) where due_at is not null;

-- One row per approval of a payment that no mandate covers.
create table payment_approvals (
  org_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  reason text not null,
  message text not null,
  requested_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  decision text check (decision in ('approved', 'denied', 'expired')),
  decided_by uuid references users,
  decided_at timestamptz(3),
  note text,
  primary key (org_id, id),
  unique (org_id, payment_id),
  foreign key (org_id, payment_id) references machine_payments
);
create index payment_approvals_open on payment_approvals (expires_at) where decision is null;

-- One row per request to the provider. A charge is sent once; inquiries and refunds may be repeated.
create table payment_attempts (
  org_id uuid not null,
  payment_id uuid not null,
  n integer not null,
  kind text not null check (kind in ('charge', 'inquiry', 'refund')),
  request_hash bytea not null,
  -- The customer at the provider: an inquiry lists the payments of this customer.
  customer text not null,
  provider_reference text,
  outcome text,
  message text,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (org_id, payment_id, n),
  foreign key (org_id, payment_id) references machine_payments
);
create unique index payment_attempts_charge on payment_attempts (org_id, payment_id) where kind = 'charge';

-- One row per organization: its account at a payment provider.
create table payment_providers (
  org_id uuid not null references organizations,
  kind text not null check (kind = 'stripe'),
  key_sealed text not null,
  key_last_four text not null,
  is_live boolean not null,
  customer_id text not null,
  payment_method_id text not null,
  updated_by uuid not null references users,
  updated_at timestamptz(3) not null,
  primary key (org_id)
);

-- A payment may have neither a run nor a project. In the ledger, its charge is attempt 1 and its refund is attempt 2.
alter table usage add column payment_id uuid;
alter table usage drop constraint usage_pkey;
alter table usage alter column run_id drop not null, alter column project_id drop not null;
create unique index usage_entry on usage (org_id, run_id, step, attempt, kind, call_ordinal, payment_id) nulls not distinct;
