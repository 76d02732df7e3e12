import { type EventScenario, onBlock, onComment, scenario } from './actor.ts'

export const onComments: Record<string, EventScenario> = {
  'adding a comment': onBlock('comment.created', ({ client }, { blockId }) =>
    client.comments.create({ target: `block:${blockId}`, body: 'Hello' }),
  ),
  'editing a comment': onComment('comment.updated', ({ client }, { id }) =>
    client.comments.update({ id, body: 'Hello again' }),
  ),
  'resolving a comment': onComment('comment.resolved', ({ client }, { id }) =>
    client.comments.update({ id, resolved: true }),
  ),
  'replying to a resolved comment': scenario(
    ['comment.created', 'comment.reopened'],
    async ({ client, file }) => {
      const target = `file:${(await file()).id}`
      const { id } = await client.comments.create({ target, body: 'Hello' })
      await client.comments.update({ id, resolved: true })
      return () => client.comments.create({ target, parentId: id, body: 'Wait' })
    },
  ),
  'deleting a comment': onComment('comment.deleted', ({ client }, { id }) => client.comments.remove({ id })),
}
