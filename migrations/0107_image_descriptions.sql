-- What a vision model said about an image or a document's page, for models that accept no images. It belongs to a
-- file's stored content and is written once, so that every later prompt repeats the same text. `page` is 0 for an image.
-- Without a text, `retry_at` says until when the claim `claim_id` may still bring one, or, if `is_failed`, until when
-- nobody tries again.
create table image_descriptions (
  org_id uuid not null,
  source_key text not null,
  page int not null check (page >= 0),
  claim_id uuid not null,
  model text not null,
  description text check (length(description) between 1 and 4000),
  is_failed boolean not null default false,
  retry_at timestamptz not null,
  created_at timestamptz not null,
  primary key (org_id, source_key, page),
  foreign key (org_id, source_key) references objects (org_id, key) on delete cascade,
  check (description is null or not is_failed)
);

-- Whether a model accepts images, where an admin knows better than its provider's list. Null if the list decides.
alter table model_settings add column accepts_images boolean;

-- `description`: an image that the vision model described. Existing rows need no check: all of them meet the former
-- constraint.
alter table usage drop constraint usage_kind_check;
alter table usage add constraint usage_kind_check check (
  kind in ('tokens', 'guardrail', 'call', 'sms', 'tool', 'payment', 'transcription', 'speech', 'description')
) not valid;
