import type { ReactNode } from 'react'
import type { AgentVersion } from '../../../../api/agents.ts'
import { Name } from '../../../../components/name.tsx'
import { Time } from '../../../../components/time.tsx'
import { SettingChange } from './setting-change.tsx'

const LABELS: Record<AgentVersion['change'], string> = {
  created: 'Created',
  updated: 'Changed',
  restored: 'Restored',
  archived: 'Archived',
  unarchived: 'Unarchived',
}

interface VersionRowProps {
  version: AgentVersion
  action?: ReactNode
}

/** One version: the action, its author and time, and the settings that it changed. */
export function VersionRow({ version, action }: VersionRowProps) {
  const { change, restoredFrom, by, createdAt, changes } = version
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <div className="flex items-center gap-8">
        <span className="w-24 shrink-0 text-12 text-neutral-11 tabular-nums">{version.version}</span>
        <span className="min-w-0 flex-1 truncate text-13">
          <span className="font-medium">
            {LABELS[change]}
            {restoredFrom !== null && ` version ${restoredFrom}`}
          </span>
          <span className="text-neutral-11">
            {by && (
              <>
                {' by '}
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
