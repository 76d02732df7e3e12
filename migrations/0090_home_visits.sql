-- The end of the previous visit is null until there is one. First visits stored a time of a week ago instead, which can
-- be before the member joined.
alter table home_states alter column news_since drop not null;
update home_states s set news_since = null
from memberships m where m.org_id = s.org_id and m.user_id = s.user_id and s.news_since < m.created_at;
