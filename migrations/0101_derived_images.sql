-- Scaled copies of images and document pages, for models and thumbnails. They belong to a file's stored content: each
-- recipe is rendered once, so that every later use gets the same bytes. `failure` is set instead if the content can't be
-- rendered. `description` is what the organization's vision model saw.
create table derived_images (
  org_id uuid not null,
  source_key text not null,
  recipe text not null check (length(recipe) between 1 and 60),
  object_key text,
  mime_type text,
  width int,
  height int,
  size int,
  failure text check (failure in ('broken', 'encrypted', 'too_complex', 'too_large', 'timed_out')),
  description text check (length(description) <= 4000),
  described_by text,
  created_at timestamptz not null,
  primary key (org_id, source_key, recipe),
  foreign key (org_id, source_key) references objects (org_id, key) on delete cascade,
  foreign key (org_id, object_key) references objects (org_id, key),
  check ((object_key is null) = (failure is not null)),
  check (object_key is null or (mime_type in ('image/png', 'image/jpeg') and width > 0 and height > 0 and size > 0))
);
create index derived_images_object on derived_images (org_id, object_key) where object_key is not null;

-- The files that were attached to a message. Empty in messages from before this migration.
alter table messages add column file_ids uuid[] not null default '{}';

-- The images a call returned, beside its output.
alter table run_calls add column images jsonb;
