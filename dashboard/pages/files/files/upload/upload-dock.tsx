import { Check, ChevronDown, CircleAlert, RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { LOCALE, t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { useSession } from '../../../../api/session.ts'
import { formatRate, formatRemaining, formatSize } from '../../../../components/amounts.ts'
import { Button } from '../../../../components/button.tsx'
import { Copy } from '../../../../components/copy.tsx'
import { Name } from '../../../../components/name.tsx'
import { cancel, clearUploads, isActive, retry, type Upload, useUploads } from './queue.ts'
import { ReplaceDialog, useReplaceQuestion } from './replace-dialog.tsx'

const ROWS_MAX = 60
const ORDER = { failed: 0, sending: 1, waiting: 2, done: 3 }

export function UploadDock() {
  const question = useReplaceQuestion()
  return (
    <>
      <Progress />
      {question && <ReplaceDialog question={question} />}
    </>
  )
}

function Progress() {
  const { user } = useSession()
  // Hides uploads by a previously signed-in user.
  const uploads = useUploads().filter(({ owner }) => owner.startsWith(user.id))
  const [isCollapsed, setCollapsed] = useState(false)
  if (uploads.length === 0) return null
  const failed = uploads.filter(({ state }) => state === 'failed')
  const active = uploads.filter(isActive)
  const rows = uploads.toSorted((a, b) => ORDER[a.state] - ORDER[b.state]).slice(0, ROWS_MAX)
  return (
    <section
      aria-label="Uploads"
      className="fixed right-16 bottom-16 z-20 flex w-full max-w-form animate-rise flex-col overflow-hidden rounded-panel bg-float shadow-float max-sm:inset-x-8 max-sm:bottom-8 max-sm:w-auto max-sm:max-w-full"
    >
      <header className="flex items-center gap-8 py-8 pr-8 pl-16">
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-medium text-13">
            <span role="status">{headline(uploads, active, failed)}</span>
          </h2>
          {active.length > 0 && (
            <p className="text-12 text-neutral-11 tabular-nums">{progressText(uploads)}</p>
          )}
        </div>
        {active.length === 0 && failed.length > 0 && (
          <Button size="small" onClick={() => retry(failed)}>
            Retry
          </Button>
        )}
        {active.length > 0 && (
          <Button size="small" look="quiet" onClick={() => cancel(active)}>
            Cancel all
          </Button>
        )}
        <Button
          look="quiet"
          size="small-icon"
          aria-expanded={!isCollapsed}
          aria-label={isCollapsed ? t`Expand uploads` : t`Collapse uploads`}
          onClick={() => setCollapsed(!isCollapsed)}
        >
          <ChevronDown
            aria-hidden
            className={`icon transition-transform ${isCollapsed ? 'rotate-180' : ''}`}
          />
        </Button>
        {active.length === 0 && (
          <Button look="quiet" size="small-icon" aria-label="Close uploads" onClick={clearUploads}>
            <X aria-hidden className="icon" />
          </Button>
        )}
      </header>
      {active.length > 0 && (
        <Bar label="All uploads" part={sum(uploads, 'sent') / (sum(uploads, 'size') || 1)} />
      )}
      {!isCollapsed && (
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
          tabIndex={0}
          className="max-h-nested-max overflow-y-auto overscroll-contain border-neutral-6 border-t"
        >
          {rows.map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
          {uploads.length > rows.length && (
            <li className="px-16 py-8 text-12 text-neutral-11">
              and {(uploads.length - rows.length).toLocaleString(LOCALE)} more
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

function UploadRow({ upload }: { upload: Upload }) {
  const { name, size, sent, state, error, requestId } = upload
  return (
    <li className="flex min-h-row items-center gap-8 border-neutral-6 border-b py-4 pr-8 pl-16 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="truncate text-13" title={name}>
          <Name>{name}</Name>
        </p>
        <p className={`text-12 tabular-nums ${state === 'failed' ? 'text-bad-text' : 'text-neutral-11'}`}>
          {state === 'waiting' && t`Waiting`}
          {state === 'sending' && t`${formatSize(sent)} of ${formatSize(size)}`}
          {state === 'done' && formatSize(size)}
          {state === 'failed' && error}
        </p>
        {state === 'sending' && <Bar label={name} part={size > 0 ? sent / size : 1} />}
      </div>
      {requestId && <Copy value={requestId} what="request ID" />}
      {state === 'failed' && (
        <>
          <CircleAlert aria-hidden className="icon text-bad-text" />
          <Button
            look="quiet"
            size="small-icon"
            aria-label={textWithNames`Retry ${name}`}
            onClick={() => retry([upload])}
          >
            <RotateCw aria-hidden className="icon" />
          </Button>
        </>
      )}
      {state === 'done' ? (
        <Check role="img" aria-label="Uploaded" className="icon mr-4 text-good-text" />
      ) : (
        <Button
          look="quiet"
          size="small-icon"
          aria-label={textWithNames`${state === 'failed' ? t`Remove` : t`Cancel`} ${name}`}
          onClick={() => cancel([upload])}
        >
          <X aria-hidden className="icon" />
        </Button>
      )}
    </li>
  )
}

function Bar({ label, part }: { label: string; part: number }) {
  return (
    <progress
      aria-label={t`Upload progress: ${label}`}
      value={part}
      className="bar block h-4 w-full overflow-hidden rounded-round"
    />
  )
}

const sum = (uploads: readonly Upload[], field: 'size' | 'sent') =>
  uploads.reduce((total, upload) => total + upload[field], 0)

function headline(uploads: readonly Upload[], active: Upload[], failed: Upload[]): string {
  const files = (count: number) => `${count.toLocaleString(LOCALE)} ${count === 1 ? 'file' : 'files'}`
  if (active.length > 0) return t`Uploading ${files(active.length)}`
  if (failed.length > 0) return t`${failed.length} of ${files(uploads.length)} failed`
  return t`${files(uploads.length)} uploaded`
}

function progressText(uploads: readonly Upload[]): string {
  const now = performance.now()
  const speed = uploads
    .filter(({ state }) => state === 'sending')
    .reduce((total, { sent, startedAt }) => total + sent / Math.max((now - startedAt) / 1000, 0.1), 0)
  const remaining = sum(uploads, 'size') - sum(uploads, 'sent')
  if (speed < 1) return t`${formatSize(remaining)} left`
  return t`${formatRate(speed)} · ${formatRemaining(remaining / speed)} left`
}
