import { dictionary } from '../../../../../../contract/dictionary.ts'
import { acceptedSchemes } from '../../../../../signatures/signature-schemes.ts'
import { lookup, normalizedEvent, textAt } from '../../definition/payload.ts'
import type {
  NormalizedEvent,
  ReceivedEvent,
  ReceiverDefinition,
  RegisteredEndpoint,
} from '../../definition/receiver.ts'
import { encodeSegment, valueAt } from '../../requests/template.ts'
import { REPOSITORY, repositoryHooks } from './repository-hooks.ts'

type Kind = readonly [eventKey: string, change: NormalizedEvent['change']]
const KINDS: Record<string, Kind> = dictionary({
  'pullrequest:created': ['bitbucket.pull_request', 'created'],
  'pullrequest:updated': ['bitbucket.pull_request', 'edited'],
  'pullrequest:comment_created': ['bitbucket.comment', 'created'],
  'pullrequest:comment_updated': ['bitbucket.comment', 'edited'],
  'pullrequest:comment_deleted': ['bitbucket.comment', 'deleted'],
})

export const bitbucketReceiver: ReceiverDefinition = {
  kind: 'code',
  // Atlassian signs webhooks of Bitbucket like those that administrators create in Jira.
  proof: { by: 'signature', schemes: acceptedSchemes('jira'), secret: { from: 'generated' } },
  handshake: { by: 'ignored', header: 'x-event-key', equals: 'diagnostics:ping' },
  events: {
    'bitbucket.pull_request': 'A pull request was created or edited',
    'bitbucket.comment': 'A comment on a pull request',
  },
  normalize,
  sessionKey: 'bitbucket:{thread}',
  reply: ({ replyTo: { workspace, repo, number, commentId } }, text) => ({
    method: 'POST',
    path: `${repositoryPath(workspace, repo)}/pullrequests/${encodeSegment(String(number))}/comments`,
    json: { content: { raw: text }, ...(commentId !== undefined && { parent: { id: Number(commentId) } }) },
  }),
  setup: repositoryHooks({
    path: hooksPath,
    hook: hookOf,
    updateMethod: 'PUT',
    list: { query: { pagelen: 100 }, items: 'values', url: 'url', id: 'uuid' },
    field: {
      key: 'repository',
      label: 'Repository',
      hint: 'As workspace/repository. The account has to be an administrator of it',
      required: true,
      pattern: REPOSITORY,
    },
  }),
}

const repositoryPath = (workspace: unknown, repo: unknown) =>
  `/repositories/${encodeSegment(String(workspace))}/${encodeSegment(String(repo))}`

function hooksPath({ repository = '' }: Readonly<Record<string, string>>): string {
  const [workspace = '', repo = ''] = repository.split('/')
  return `${repositoryPath(workspace, repo)}/hooks`
}

function hookOf({ url, secret, events }: RegisteredEndpoint) {
  return {
    description: 'Atrium',
    url,
    active: true,
    secret,
    events: Object.keys(KINDS).filter((key) => events.length === 0 || events.includes(KINDS[key]![0])),
  }
}

function normalize({ headers, body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const [eventKey, change] = lookup(KINDS, headers['x-event-key']) ?? []
  const pull = valueAt(body, 'pullrequest')
  const comment = valueAt(body, 'comment')
  const [workspace, repo] = (textAt(body, 'repository.full_name') ?? '').split('/')
  const number = textAt(pull, 'id')
  const id = comment ? textAt(comment, 'id') : number
  const actor = textAt(body, 'actor.uuid')
  if (!eventKey || !change || !workspace || !repo || number === null || id === null) return []
  if (actor !== null && actor === account.id) return []
  const isBot = textAt(body, 'actor.type') !== 'user'
  if (comment && isBot) return []
  const ref = `${comment ? 'comment' : 'pull_request'}:${workspace}/${repo}:${id}`
  const content = comment ?? pull
  const text = comment
    ? textAt(comment, 'content.raw')
    : `${textAt(pull, 'title')}\n\n${textAt(pull, 'description') ?? ''}`.trim()
  return [
    normalizedEvent({
      eventKey,
      externalId: change === 'created' ? ref : `${ref}:${change}:${textAt(content, 'updated_on') ?? ''}`,
      change,
      targetId: change === 'created' ? null : ref,
      actor: { id: actor, name: textAt(body, 'actor.display_name'), isBot },
      text: change === 'deleted' ? null : text,
      thread: `${workspace}/${repo}#${number}`,
      resource: { type: 'pull_request', id: number, url: textAt(content, 'links.html.href') },
      replyTo: { workspace, repo, number, ...(comment !== undefined && { commentId: id }) },
    }),
  ]
}
