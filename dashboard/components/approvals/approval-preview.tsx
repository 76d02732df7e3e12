import { useQuery } from '@tanstack/react-query'
import { ChevronRight, FilePen, Minus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { counted } from '../../../contract/counted.ts'
import { t } from '../../../contract/text.ts'
import { api } from '../../api/client.ts'
import { fieldLabel } from '../../api/explain.ts'
import { projectQuery } from '../../api/projects.ts'
import { Code } from '../code.tsx'
import { Diff } from '../diff/diff.tsx'
import { lineDiff } from '../diff/line-diff.ts'
import { escapeHidden, showAddresses, showHidden } from '../hidden-characters.ts'
import { Name } from '../name.tsx'
import { costIn } from './approval-labels.ts'
import { type CallPreview, previewOf } from './call-preview.ts'

interface ApprovalPreviewProps {
  tool: string
  input: unknown
  projectId: string | undefined
}

/** What a call would do, as it would look, with its data one click away. */
export function ApprovalPreview({ tool, input, projectId }: ApprovalPreviewProps) {
  const preview = previewOf(tool, input)
  return (
    <div className="flex min-w-0 flex-col gap-12 text-13">
      <Preview preview={preview} projectId={projectId} />
      {'rest' in preview && <Fields fields={preview.rest} />}
      <RawInput input={input} />
    </div>
  )
}

function Preview({ preview, projectId }: { preview: CallPreview; projectId: string | undefined }) {
  switch (preview.kind) {
    case 'canvas':
      return <CanvasPreview preview={preview} />
    case 'file':
      return <FilePreview preview={preview} projectId={projectId} />
    case 'mail':
      return <MailPreview preview={preview} />
    case 'message':
      return <MessagePreview preview={preview} />
    case 'payment':
      return <PaymentPreview preview={preview} />
    case 'fields':
      return <Fields fields={preview.fields} />
  }
}

type Of<Kind extends CallPreview['kind']> = { preview: Extract<CallPreview, { kind: Kind }> }

const NOTES_SHOWN_MAX = 12

function CanvasPreview({ preview }: Of<'canvas'>) {
  const { created, updated, deleted, moved, connected } = preview
  const others = [
    moved > 0 && t`moves ${counted(moved, 'block', 'blocks')}`,
    connected > 0 && t`adds ${counted(connected, 'connection', 'connections')}`,
  ].filter((text) => text !== false)
  return (
    <>
      {created.length > 0 && (
        <ul className="grid gap-8 @medium:grid-cols-2">
          {created.slice(0, NOTES_SHOWN_MAX).map(({ type, title, content, color, rest }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: new blocks have no other identity.
              key={index}
              className={`flex min-w-0 flex-col gap-4 rounded-control p-12 ${TINTS[color] ?? (type === 'note' ? 'bg-hue-4-soft' : 'bg-inset')}`}
            >
              {title && (
                <span className="wrap-anywhere font-strong">
                  <Name>{showHidden(title)}</Name>
                </span>
              )}
              {content && <LongText text={content} />}
              <Fields fields={rest} />
              {!title && !content && <span className="text-neutral-11">{type}</span>}
            </li>
          ))}
        </ul>
      )}
      {created.length > NOTES_SHOWN_MAX && (
        <p className="text-12 text-neutral-11">{t`and ${created.length - NOTES_SHOWN_MAX} more`}</p>
      )}
      {updated.map(({ name, fields }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block can be changed twice.
        <div key={index} className="flex min-w-0 flex-col gap-4 rounded-control bg-inset p-12">
          <span className="wrap-anywhere font-strong">
            <Name>{showHidden(name)}</Name>
          </span>
          <Fields fields={fields} />
        </div>
      ))}
      {deleted.length > 0 && (
        <ul className="flex flex-col gap-2">
          {deleted.map((name, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a name can occur twice.
              key={index}
              className="flex min-w-0 items-center gap-8 rounded-control bg-bad-wash px-8 py-4 text-bad-text"
            >
              <Minus aria-hidden className="icon" />
              <del className="wrap-anywhere">
                <Name>{showHidden(name)}</Name>
              </del>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && <p className="text-neutral-11">{t`It also ${others.join(t` and `)}.`}</p>}
    </>
  )
}

const TINTS: Record<string, string> = {
  teal: 'bg-hue-1-soft',
  orange: 'bg-hue-2-soft',
  blue: 'bg-hue-3-soft',
  yellow: 'bg-hue-4-soft',
  purple: 'bg-hue-5-soft',
  green: 'bg-hue-6-soft',
  red: 'bg-hue-7-soft',
  pink: 'bg-hue-7-soft',
  gray: 'bg-hue-8-soft',
}

function FilePreview({
  preview: { name, folder, text },
  projectId,
}: Of<'file'> & Pick<ApprovalPreviewProps, 'projectId'>) {
  const existing = useExistingText({ name, folder, projectId })
  const lines = existing === undefined ? [] : lineDiff(existing ?? '', text)
  const count = (kind: 'added' | 'removed') => lines.filter((line) => line.kind === kind).length
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <p className="flex min-w-0 items-center gap-8 text-neutral-11">
        <FilePen aria-hidden className="icon" />
        <span className="min-w-0 truncate">
          <Name>{showHidden(folder ? `${folder}/${name}` : name)}</Name>
          {existing === null && ` · ${t`new file`}`}
        </span>
        {existing !== undefined && (
          <span className="ml-auto shrink-0 tabular-nums">
            <ins className="text-good-text no-underline">+{count('added')}</ins>{' '}
            <del className="text-bad-text no-underline">−{count('removed')}</del>
          </span>
        )}
      </p>
      {existing === undefined ? (
        <Code what="text" tall>
          {showHidden(text)}
        </Code>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable by keyboard.
        <div tabIndex={0} className="max-h-nested-max overflow-y-auto">
          <Diff before={showHidden(existing ?? '')} after={showHidden(text)} />
        </div>
      )}
    </div>
  )
}

const TEXT_BYTES_MAX = 262_144
const FILES_MAX = 100

/** The text that a file would replace: null if there is none, undefined if unknown. */
function useExistingText({
  name,
  folder,
  projectId,
}: {
  name: string
  folder: string
  projectId: string | undefined
}) {
  const { data } = useQuery({
    queryKey: ['files', 'text-before', projectId, folder, name],
    queryFn: async ({ signal, client }) => {
      const { folderId } = await client.ensureQueryData(projectQuery(projectId!))
      const { items } = await api.files.list({ projectId, search: name, limit: FILES_MAX }, { signal })
      const found = items.find((file) => file.name === name && file.parentId === folderId)
      if (!found) return { text: null }
      const read = await api.fileTexts.read({ id: found.id, limit: TEXT_BYTES_MAX }, { signal })
      return { text: read.nextOffset === null ? read.text : undefined }
    },
    enabled: projectId !== undefined && folder === '',
    retry: false,
  })
  return data?.text
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex min-w-0 gap-8">
    <dt className="w-48 shrink-0 text-neutral-11">{label}</dt>
    <dd className="wrap-anywhere min-w-0">
      <bdi>{children}</bdi>
    </dd>
  </div>
)

function MailPreview({ preview: { account, to, cc, bcc, subject, text } }: Of<'mail'>) {
  return (
    <div className="flex min-w-0 flex-col gap-12 rounded-control bg-inset p-12">
      <dl className="flex flex-col gap-4">
        {account && <Row label={t`From`}>{showHidden(account)}</Row>}
        <Row label={t`To`}>{showAddresses(to)}</Row>
        {cc && <Row label={t`Cc`}>{showAddresses(cc)}</Row>}
        {bcc && <Row label={t`Bcc`}>{showAddresses(bcc)}</Row>}
        <Row label={t`Subject`}>
          <b className="font-strong">{showHidden(subject)}</b>
        </Row>
      </dl>
      <div className="text-14">
        <LongText text={text} />
      </div>
    </div>
  )
}

function MessagePreview({ preview: { account, to, text } }: Of<'message'>) {
  return (
    <div className="flex min-w-0 flex-col items-start gap-8">
      <dl>
        {account && <Row label={t`From`}>{showHidden(account)}</Row>}
        <Row label={t`To`}>{showAddresses(to)}</Row>
      </dl>
      <div className="max-w-full rounded-composer rounded-bl-control bg-neutral-4 px-12 py-8 text-14">
        <LongText text={text} />
      </div>
    </div>
  )
}

const LONG_UNITS = 600
const LONG_LINES = 12

function LongText({ text }: { text: string }) {
  const isLong = text.length > LONG_UNITS || text.split('\n', LONG_LINES + 1).length > LONG_LINES
  return (
    <div
      // A scrollable element must be focusable by keyboard.
      tabIndex={isLong ? 0 : undefined}
      className="wrap-anywhere max-h-nested-max overflow-y-auto whitespace-pre-wrap"
    >
      <bdi>{showHidden(text)}</bdi>
    </div>
  )
}

function PaymentPreview({ preview: { input, payee, account, reason } }: Of<'payment'>) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p className="font-strong text-28 tracking-title tabular-nums">{costIn(input)}</p>
      {payee && (
        <p className="wrap-anywhere">
          to <Name>{showHidden(payee)}</Name>
          {account && (
            <span className="text-neutral-11">
              {' '}
              · <bdi>{showHidden(account)}</bdi>
            </span>
          )}
        </p>
      )}
      {reason && <p className="wrap-anywhere text-neutral-11">{showHidden(reason)}</p>}
    </div>
  )
}

function Fields({ fields }: { fields: Extract<CallPreview, { kind: 'fields' }>['fields'] }) {
  if (fields.length === 0) return null
  return (
    <dl className="flex min-w-0 flex-col gap-8">
      {fields.map(({ name, text, data }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an action's field can have the name of another.
        <div key={index} className="flex min-w-0 flex-col">
          <dt className="wrap-anywhere text-12 text-neutral-11 first-letter:uppercase">
            <Name>{/^\w+$/.test(name) ? fieldLabel(name) : showHidden(name)}</Name>
          </dt>
          <dd className="min-w-0">
            {data === undefined ? <LongText text={text} /> : <Code what="input">{escapeHidden(data)}</Code>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function RawInput({ input }: { input: unknown }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="group/data" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex w-fit items-center gap-4 text-12 text-neutral-11 hover:text-neutral-12">
        <ChevronRight aria-hidden className="size-12 transition-transform group-open/data:rotate-90" />
        Exact input
      </summary>
      {isOpen && (
        <div className="mt-8">
          <Code tall what="input">
            {escapeHidden(JSON.stringify(input ?? null, null, 2))}
          </Code>
        </div>
      )}
    </details>
  )
}
