-- Scaled copies of images and document pages, for models and thumbnails. They belong to a file's stored content: each
-- recipe is rendered once, so that every later use gets the same bytes. `failure` is set instead if the content can't be
-- rendered.
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
  created_at timestamptz not null,
  primary key (org_id, source_key, recipe),
  foreign key (org_id, source_key) references objects (org_id, key) on delete cascade,
  foreign key (org_id, object_key) references objects (org_id, key),
  check ((object_key is null) = (failure is not null)),
  check (object_key is null or (mime_type in ('image/png', 'image/jpeg') and width > 0 and height > 0 and size > 0))
);
create index derived_images_object on derived_images (org_id, object_key) where object_key is not null;

-- A file's whole text, for prompts: read once, so that each one repeats the same. `text` is null if the file has none, or
-- more than a prompt takes.
create table derived_texts (
  org_id uuid not null,
  source_key text not null,
  text text check (length(text) between 1 and 80000),
  is_longer boolean not null,
  created_at timestamptz not null,
  primary key (org_id, source_key),
  foreign key (org_id, source_key) references objects (org_id, key) on delete cascade,
  check (text is null or not is_longer)
);

-- The files that were attached to a message. Empty in messages from before this migration.
alter table messages add column file_ids uuid[] not null default '{}';

-- The images a call returned, beside its output.
alter table run_calls add column images jsonb;
