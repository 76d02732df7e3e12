-- Titles and contents of blocks join the texts whose untrusted authors are known (`text_origins`). The history of a canvas
-- knows the author of a text in its own block; this also recognizes the text in another block: pasted, copied with its
-- project, started from a template, or restored after the history was pruned.
create trigger text_origins_inserted after insert on blocks
  for each row when (new.title is not null or new.content is not null)
  execute function record_text_origins('title', 'content');
create trigger text_origins_updated after update on blocks
  for each row when (old.title is distinct from new.title or old.content is distinct from new.content)
  execute function record_text_origins('title', 'content');

-- The texts that guests, and runs that were not trusted, wrote so far.
insert into text_origins (org_id, record_id, field, hash)
select distinct c.org_id, c.item_id, f.field, text_hash(c.after ->> f.field)
from canvas_changes c cross join (values ('title'), ('content')) f (field)
left join runs r on r.org_id = c.org_id and r.id = c.run_id
where c.entity = 'block' and c.after ->> f.field <> '' and (c.user_id is null or r.trust <> 'trusted')
on conflict do nothing;
