-- The home page of a member: the time from which it shows news, the entries that the member removed, and the progress
-- of the guided tour.

-- One row per member.
create table home_states (
  org_id uuid not null references organizations,
  user_id uuid not null references users,
  -- When the member last had the page open; written at most once a minute.
  seen_at timestamptz(3) not null,
  -- The end of the previous visit: the page shows the news since then.
  news_since timestamptz(3) not null,
  hides_first_steps boolean not null default false,
  -- The last step of the tour that the member saw; null before the first step.
  tour_step smallint,
  tour_ended_at timestamptz(3),
  primary key (org_id, user_id)
);

-- One row per entry that a member removed from the home page.
create table home_dismissed (
  org_id uuid not null references organizations,
  user_id uuid not null references users,
  -- Identifies the entry, such as `run:<id>`.
  key text not null,
  dismissed_at timestamptz(3) not null,
  primary key (org_id, user_id, key)
);

-- The failed runs of a member, newest first.
create index runs_failed on runs (org_id, created_by, id desc)
  where status = 'failed' and agent_id is not null and parent_run_id is null;
-- Lists the newest comments of a project; also serves the queries of the former index.
drop index comments_project;
create index comments_project on comments (org_id, project_id, id desc) where project_id is not null;
-- Emails that have not been sent, for operators.
create index mails_unsent on mails (created_at) where sent_at is null;
