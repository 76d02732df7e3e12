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
import { isMarked, withMark } from './own-mark.ts'
import { REPOSITORY, repositoryHooks } from './repository-hooks.ts'

/** The names of GitHub for the events. */
const EVENTS: Record<string, string> = dictionary({
  'github.issue': 'issues',
  'github.comment': 'issue_comment',
  'github.pull_request': 'pull_request',
  'github.review': 'pull_request_review',
  'github.review_comment': 'pull_request_review_comment',
})
/** Other actions change a label, an assignee or a milestone. */
const ACTIONS: Record<string, NormalizedEvent['change']> = dictionary({
  opened: 'created',
  reopened: 'created',
  ready_for_review: 'created',
  created: 'created',
  submitted: 'created',
  edited: 'edited',
  deleted: 'deleted',
})

export const githubReceiver: ReceiverDefinition = {
  kind: 'code',
  proof: { by: 'signature', schemes: acceptedSchemes('github'), secret: { from: 'generated' } },
  handshake: { by: 'ignored', header: 'x-github-event', equals: 'ping' },
  events: {
    'github.issue': 'An issue was opened, reopened or edited',
    'github.comment': 'A comment on an issue or a pull request',
    'github.pull_request': 'A pull request was opened, reopened, edited or marked as ready',
    'github.review': 'A review of a pull request with a text',
    'github.review_comment': 'A comment on a line of a pull request',
  },
  normalize,
  marksReplies: true,
  sessionKey: 'github:{thread}',
  reply: ({ replyTo: { owner, repo, number, commentId } }, text) => ({
    method: 'POST',
    path: `${repositoryPath(owner, repo)}/${
      commentId === undefined
        ? `issues/${encodeSegment(String(number))}/comments`
        : `pulls/${encodeSegment(String(number))}/comments/${encodeSegment(String(commentId))}/replies`
    }`,
    json: { body: withMark(text) },
  }),
  setup: repositoryHooks({
    path: hooksPath,
    hook: hookOf,
    newHookFields: { name: 'web' },
    updateMethod: 'PATCH',
    list: { query: { per_page: 100 }, items: 'hooks', url: 'config.url', id: 'id' },
    field: {
      key: 'repository',
      label: 'Repository',
      hint: 'As owner/name. The account has to be an administrator of it',
      required: true,
      pattern: REPOSITORY,
    },
  }),
}

const repositoryPath = (owner: unknown, repo: unknown) =>
  `/repos/${encodeSegment(String(owner))}/${encodeSegment(String(repo))}`

function hooksPath({ repository = '' }: Readonly<Record<string, string>>): string {
  const [owner = '', repo = ''] = repository.split('/')
  return `${repositoryPath(owner, repo)}/hooks`
}

function hookOf({ url, secret, events }: RegisteredEndpoint) {
  return {
    active: true,
    events: Object.keys(EVENTS)
      .filter((key) => events.length === 0 || events.includes(key))
      .map((key) => EVENTS[key]!),
    config: { url, content_type: 'json', secret, insecure_ssl: '0' },
  }
}

function normalize({ headers, body }: ReceivedEvent): readonly NormalizedEvent[] {
  const eventKey = Object.keys(EVENTS).find((key) => EVENTS[key] === headers['x-github-event'])
  const change = lookup(ACTIONS, textAt(body, 'action'))
  if (!eventKey || !change) return []
  const subject = valueAt(body, 'issue') ?? valueAt(body, 'pull_request')
  const remark = valueAt(body, 'comment') ?? valueAt(body, 'review')
  const content = remark ?? subject
  const [id, number] = [textAt(content, 'id'), textAt(subject, 'number')]
  const [owner, repo] = [textAt(body, 'repository.owner.login'), textAt(body, 'repository.name')]
  const text = textAt(content, 'body')
  const isBot = textAt(body, 'sender.type') === 'Bot'
  if (id === null || number === null || owner === null || repo === null) return []
  // Comments of other bots are ignored too: two bots that answer each other would never stop.
  if (isMarked(text) || (remark && (isBot || !text))) return []
  const ref = `${eventKey.slice('github.'.length)}:${id}`
  const isFirst = change === 'created' && textAt(body, 'action') !== 'reopened'
  return [
    normalizedEvent({
      eventKey,
      externalId: isFirst ? ref : `${ref}:${textAt(body, 'action')}:${textAt(content, 'updated_at') ?? ''}`,
      change,
      targetId: change === 'created' ? null : ref,
      actor: { id: textAt(body, 'sender.id'), name: textAt(body, 'sender.login'), isBot },
      text:
        change === 'deleted' ? null : remark ? text : `${textAt(subject, 'title')}\n\n${text ?? ''}`.trim(),
      thread: `${owner}/${repo}#${number}`,
      resource: {
        type: valueAt(body, 'pull_request') || valueAt(subject, 'pull_request') ? 'pull_request' : 'issue',
        id: number,
        url: textAt(content, 'html_url'),
      },
      replyTo: {
        owner,
        repo,
        number,
        // A reply to a reply is refused: the thread is that of the first comment.
        ...(eventKey === 'github.review_comment' && { commentId: textAt(remark, 'in_reply_to_id') ?? id }),
      },
    }),
  ]
}
