import { Link } from '@tanstack/react-router'
import type { VoiceAgent } from '../../../api/telephony/voice-agents.ts'
import { Name } from '../../../components/name.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { timeColumn } from '../../../components/table/time-column.tsx'
import { PROVIDERS } from '../call-labels.ts'

export const voiceAgentColumns: Column<VoiceAgent>[] = [
  {
    header: 'Voice agent',
    wide: true,
    cell: ({ id, agentName, provider, providerAgentId }) => (
      <span className="block min-w-0">
        <Link
          to="/telephony/voice-agents"
          search={{ show: id }}
          data-row-link={id}
          className="row-link block truncate font-medium outline-none"
        >
          <Name>{agentName}</Name>
        </Link>
        <span className="block truncate text-12 text-neutral-11">
          {PROVIDERS[provider]}
          {providerAgentId && (
            <>
              {' · '}
              <code className="font-mono">{providerAgentId}</code>
            </>
          )}
        </span>
      </span>
    ),
  },
  {
    header: 'Runs as',
    visibleFrom: 'wide',
    cell: ({ owner }) => (
      <span className="whitespace-nowrap text-neutral-11">
        <Name>{owner.name}</Name>
      </span>
    ),
  },
  timeColumn('Last used', ({ lastUsedAt }) => lastUsedAt),
]
