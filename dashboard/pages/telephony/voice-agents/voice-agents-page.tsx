import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { AudioLines, Plus } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { PROVIDERS } from '../call-labels.ts'
import { TelephonyTabs } from '../telephony-pages.tsx'
import { type VoiceAgent, voiceAgentsQuery } from '../telephony-queries.ts'
import { SecretDialog, sendsToolSecret } from './secret-dialog.tsx'
import { VoiceAgentDialog } from './voice-agent-dialog.tsx'
import { VoiceAgentPanel } from './voice-agent-panel.tsx'

const route = getRouteApi('/app/phone/voice-agents')

export default function VoiceAgentsPage() {
  const { show, new: opened } = route.useSearch()
  const navigate = useNavigate()
  const list = useQuery(voiceAgentsQuery)
  const items = list.data?.items ?? []
  const isAdmin = useSession().role !== 'member'
  const [secret, setSecret] = useState<{ agent: VoiceAgent; secret: string }>()
  const open = (value: string | undefined) =>
    void navigate({ to: '/phone/voice-agents', search: (current) => ({ ...current, new: value }) })
  usePageKeys(
    isAdmin ? [{ label: t`Add voice agent`, keys: 'c', icon: Plus, run: () => open('voice-agent') }] : [],
  )
  const shownAgent = items.find(({ id }) => id === show)
  return (
    <Page
      title="Voice agents"
      count={items.length > 0 ? items.length : undefined}
      tabs={<TelephonyTabs />}
      action={
        isAdmin &&
        items.length > 0 && (
          <Button look="primary" onClick={() => open('voice-agent')}>
            <Plus aria-hidden className="icon" />
            Add voice agent
          </Button>
        )
      }
      panel={
        shownAgent && (
          <VoiceAgentPanel
            key={shownAgent.id}
            agent={shownAgent}
            onSecret={(text) => setSecret({ agent: shownAgent, secret: text })}
          />
        )
      }
    >
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && items.length === 0 && (
        <NoVoiceAgents onAdd={isAdmin ? () => open('voice-agent') : undefined} />
      )}
      {items.length > 0 && (
        <Table
          label="Voice agents"
          columns={voiceAgentColumns}
          rows={items}
          rowKey={({ id }) => id}
          version={({ lastUsedAt }) => String(lastUsedAt)}
          currentKey={show}
        />
      )}
      {opened === 'voice-agent' && isAdmin && (
        <VoiceAgentDialog
          onCreated={({ secret: text, ...agent }) => {
            if (!sendsToolSecret(agent))
              return void navigate({ to: '/phone/voice-agents', search: { show: agent.id } })
            setSecret({ agent, secret: text })
            open(undefined)
          }}
          onClose={() => open(undefined)}
        />
      )}
      {secret && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
    </Page>
  )
}

const NoVoiceAgents = ({ onAdd }: { onAdd?: () => void }) => (
  <Empty
    icon={AudioLines}
    title="No voice agents yet"
    action={
      onAdd && (
        <Button look="primary" onClick={onAdd}>
          Add voice agent
        </Button>
      )
    }
  >
    Your agents can already take calls through Twilio. Add a voice agent to have OpenAI (SIP) or ElevenLabs
    talk to callers; one of your agents handles the task.
    {!onAdd && t` Admins can add voice agents.`}
  </Empty>
)

const voiceAgentColumns: Column<VoiceAgent>[] = [
  {
    header: t`Voice agent`,
    wide: true,
    cell: ({ id, agentName, provider, providerAgentId }) => (
      <span className="block min-w-0">
        <Link
          to="/phone/voice-agents"
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
    header: t`Runs as`,
    visibleFrom: 'wide',
    cell: ({ owner }) => (
      <span className="whitespace-nowrap text-neutral-11">
        <Name>{owner.name}</Name>
      </span>
    ),
  },
  timeColumn(t`Last used`, ({ lastUsedAt }) => lastUsedAt),
]
