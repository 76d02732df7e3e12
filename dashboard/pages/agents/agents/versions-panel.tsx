import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../../../../contract/text.ts'
import {
  type Agent,
  type AgentVersion,
  cacheAgent,
  ifMatchVersion,
  versionsQuery,
} from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { fieldLabel } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Time } from '../../../components/time.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { changedLines, changedValues } from './changed-values.ts'

interface VersionsPanelProps {
  agent: Agent
  canEdit: boolean
  onClose: () => void
}

/** Newest first. */
export function VersionsPanel({ agent, canEdit, onClose }: VersionsPanelProps) {
  const { id, version: current, archivedAt } = agent
  const list = useInfiniteQuery(versionsQuery(id))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const restore = useMutation({
    mutationFn: (version: number) => api.agents.restore({ id, version }, ifMatchVersion(current)),
    onSuccess: async (restored, version) => {
      toast(withNames`Restored version ${version}`)
      await cacheAgent(restored)
    },
    onError: toastFailure,
  })
  return (
    <Panel title="Versions" subtitle={agent.name} onClose={onClose}>
      {list.isPending && <SkeletonRows rows={4} />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      <ol aria-label="Versions">
        {items.map((item) => (
          <li key={item.version} className="border-neutral-6 border-b px-16 py-12">
            <VersionRow
              version={item}
              action={
                item.version === current ? (
                  <span className="text-12 text-neutral-11">Current</span>
                ) : (
                  archivedAt === null &&
                  canEdit && (
                    <Button
                      size="small"
                      aria-label={t`Restore version ${item.version}`}
                      busy={restore.isPending && restore.variables === item.version}
                      onClick={() => restore.mutate(item.version)}
                    >
                      Restore
                    </Button>
                  )
                )
              }
            />
          </li>
        ))}
      </ol>
      {items.length > 0 && <ScrollEnd list={list} loaded={items.length} />}
    </Panel>
  )
}

const LABELS: Record<AgentVersion['change'], string> = {
  created: t`Created`,
  updated: t`Changed`,
  restored: t`Restored`,
  archived: t`Archived`,
  unarchived: t`Unarchived`,
}

interface VersionRowProps {
  version: AgentVersion
  action?: ReactNode
}

export function VersionRow({ version, action }: VersionRowProps) {
  const { change, restoredFrom, by, createdAt, changes } = version
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <div className="flex items-center gap-8">
        <span className="w-24 shrink-0 text-12 text-neutral-11 tabular-nums">{version.version}</span>
        <span className="min-w-0 flex-1 truncate text-13">
          <span className="font-medium">
            {restoredFrom === null ? LABELS[change] : t`Restored version ${restoredFrom}`}
          </span>
          <span className="text-neutral-11">
            {by && (
              <>
                {' · '}
                <Name>{by.name}</Name>
              </>
            )}{' '}
            · <Time at={createdAt} />
          </span>
        </span>
        {action}
      </div>
      {changes.length > 0 && (
        <dl className="flex min-w-0 flex-col gap-8 pl-32">
          {changes.map((each) => (
            <SettingChange key={each.field} {...each} />
          ))}
        </dl>
      )}
    </div>
  )
}

function SettingChange({ field, before, after }: AgentVersion['changes'][number]) {
  const isText = field === 'prompt' || field === 'description'
  const { removed, added } = isText
    ? changedLines(textOf(before), textOf(after))
    : changedValues(field, before, after)
  return (
    <div className="min-w-0">
      <dt className="text-12 text-neutral-11">{fieldLabel(field)}</dt>
      <dd className="wrap-anywhere mt-4 overflow-hidden rounded-control border border-neutral-6 font-mono text-12">
        {removed.length > 0 && (
          <del className="block whitespace-pre-wrap bg-bad-wash px-8 text-bad-text no-underline">
            {prefixLines('−', removed)}
          </del>
        )}
        {added.length > 0 && (
          <ins className="block whitespace-pre-wrap bg-good-wash px-8 text-good-text no-underline">
            {prefixLines('+', added)}
          </ins>
        )}
      </dd>
    </div>
  )
}

const prefixLines = (sign: string, lines: string[]) => lines.map((line) => `${sign} ${line}`).join('\n')

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
