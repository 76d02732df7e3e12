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
import { repositoryHooks } from './repository-hooks.ts'

const KEYS: Record<string, string> = dictionary({
  issue: 'gitlab.issue',
  merge_request: 'gitlab.merge_request',
  note: 'gitlab.comment',
})
const CHANGES: Record<string, NormalizedEvent['change']> = dictionary({
  open: 'created',
  reopen: 'created',
  create: 'created',
  update: 'edited',
})
/** Accounts of access tokens of projects and groups. */
const BOT = /^(project|group)_\d+_bot/

export const gitlabReceiver: ReceiverDefinition = {
  kind: 'code',
  proof: { by: 'signature', schemes: acceptedSchemes('gitlab'), secret: { from: 'generated' } },
  events: {
    'gitlab.issue': 'An issue was opened, reopened or edited',
    'gitlab.merge_request': 'A merge request was opened, reopened or edited',
    'gitlab.comment': 'A comment on an issue or a merge request',
  },
  normalize,
  marksReplies: true,
  sessionKey: 'gitlab:{thread}',
  reply: ({ replyTo: { project, on, iid } }, text) => ({
    method: 'POST',
    path: `/projects/${encodeSegment(String(project))}/${encodeSegment(String(on))}/${encodeSegment(String(iid))}/notes`,
    json: { body: withMark(text) },
  }),
  setup: repositoryHooks({
    path: hooksPath,
    hook: hookOf,
    updateMethod: 'PUT',
    list: { query: { per_page: 100 }, items: 'hooks', url: 'url', id: 'id' },
    field: {
      key: 'project',
      label: 'Project',
      hint: 'As group/name, or its id. The account has to be a maintainer of it',
      required: true,
      pattern: '(?!.*(^|/)\\.{1,2}(/|$))[\\w.-]+(/[\\w.-]+){0,20}',
    },
  }),
}

function hooksPath({ project = '' }: Readonly<Record<string, string>>): string {
  return `/projects/${encodeSegment(project)}/hooks`
}

function hookOf({ url, secret, events }: RegisteredEndpoint) {
  const includes = (key: string) => events.length === 0 || events.includes(key)
  return {
    url,
    token: secret,
    issues_events: includes('gitlab.issue'),
    merge_requests_events: includes('gitlab.merge_request'),
    note_events: includes('gitlab.comment'),
    push_events: false,
    enable_ssl_verification: true,
  }
}

function normalize({ body }: ReceivedEvent): readonly NormalizedEvent[] {
  const eventKey = lookup(KEYS, textAt(body, 'object_kind'))
  const content = valueAt(body, 'object_attributes')
  const isNote = eventKey === 'gitlab.comment'
  // Older versions send no action for a new comment.
  const change = lookup(CHANGES, textAt(content, 'action') ?? (isNote ? 'create' : null))
  if (!eventKey || !change || valueAt(content, 'system') === true) return []
  const subject = isNote ? (valueAt(body, 'issue') ?? valueAt(body, 'merge_request')) : content
  const isMerge = valueAt(body, 'merge_request') !== undefined || eventKey === 'gitlab.merge_request'
  const [id, iid, project] = [textAt(content, 'id'), textAt(subject, 'iid'), textAt(body, 'project.id')]
  const text = textAt(content, isNote ? 'note' : 'description')
  const name = textAt(body, 'user.username')
  const isBot = BOT.test(name ?? '')
  if (id === null || iid === null || project === null || isMarked(text) || (isNote && isBot)) return []
  // An update without a new title or text changes a label, an assignee or a commit.
  if (!isNote && change === 'edited' && !isRewritten(body)) return []
  const ref = `${isNote ? 'note' : isMerge ? 'merge_request' : 'issue'}:${id}`
  const isFirst = change === 'created' && textAt(content, 'action') !== 'reopen'
  return [
    normalizedEvent({
      eventKey,
      externalId: isFirst
        ? ref
        : `${ref}:${textAt(content, 'action')}:${textAt(content, 'updated_at') ?? ''}`,
      change,
      targetId: change === 'created' ? null : ref,
      actor: { id: textAt(body, 'user.id'), name, isBot },
      text: isNote ? text : `${textAt(content, 'title')}\n\n${text ?? ''}`.trim(),
      thread: `${textAt(body, 'project.path_with_namespace') ?? project}${isMerge ? '!' : '#'}${iid}`,
      resource: { type: isMerge ? 'merge_request' : 'issue', id: iid, url: textAt(content, 'url') },
      replyTo: { project, on: isMerge ? 'merge_requests' : 'issues', iid },
    }),
  ]
}

const isRewritten = (body: unknown) =>
  valueAt(body, 'changes.title') !== undefined || valueAt(body, 'changes.description') !== undefined
