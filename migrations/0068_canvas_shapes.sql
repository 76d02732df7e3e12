-- Shapes and drawings on the canvas; the style of an edge: { color, route, arrows }.

alter table blocks drop constraint blocks_type_check, add constraint blocks_type_check check (
  type in ('text', 'note', 'file', 'image', 'link', 'agent', 'task', 'group', 'embed', 'shape', 'drawing'));

alter table edges add column style jsonb not null default '{}';
