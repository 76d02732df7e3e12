-- Deleting a block checks at the commit that no edge refers to it. Without statistics, the planner estimates the same
-- cost for an index that begins with the organization and the project, with and without the block as a condition, and
-- the check read every edge of the canvas for each deleted block. Indexes that begin with the block exclude this plan.
drop index edges_from;
drop index edges_to;
create index edges_from on edges (from_block_id, project_id, org_id);
create index edges_to on edges (to_block_id, project_id, org_id);

-- For the quota of payments per day.
create index machine_payments_created on machine_payments (org_id, created_at);

-- A trial of a guardrail has neither a run nor a payment, so the unique index must not include its entries.
drop index usage_entry;
create unique index usage_entry on usage (org_id, run_id, step, attempt, kind, call_ordinal, payment_id) nulls not distinct
  where run_id is not null or payment_id is not null;
