import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { FlaskConical, Plus, Signpost } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { TelephonyTabs } from '../telephony-pages.tsx'
import { type Attempt, rulesQuery, tryQuery } from '../telephony-queries.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { RuleList } from './rule-list.tsx'
import { TryPanel } from './try-panel.tsx'

const route = getRouteApi('/app/phone/routing')

export default function RoutingPage() {
  const { rule: opened, show } = route.useSearch()
  const navigate = useNavigate()
  const canEdit = useSession().role !== 'member'
  const rules = useQuery(rulesQuery)
  const [attempt, setAttempt] = useState<Attempt>()
  const tryResult = useQuery(tryQuery(show === 'try' ? attempt : undefined, rules.dataUpdatedAt))
  const open = (rule: string | undefined) =>
    void navigate({ to: '/phone/routing', search: (current) => ({ ...current, rule }) })
  const toggleTry = (isOn: boolean) =>
    void navigate({
      to: '/phone/routing',
      search: (current) => ({ ...current, show: isOn ? 'try' : undefined }),
    })
  usePageKeys([
    ...(canEdit ? [{ label: t`New rule`, keys: 'c', icon: Plus, run: () => open('new') }] : []),
    { label: t`Try a call`, keys: 't', icon: FlaskConical, run: () => toggleTry(show !== 'try') },
  ])
  const { data } = rules
  const editedRule = data?.items.find(({ id }) => id === opened)
  return (
    <Page
      title="Routing"
      count={data && data.items.length > 0 ? data.items.length : undefined}
      tabs={<TelephonyTabs />}
      action={
        <span className="flex gap-8">
          <Button aria-pressed={show === 'try'} onClick={() => toggleTry(show !== 'try')}>
            <FlaskConical aria-hidden className="icon" />
            Try a call
          </Button>
          {canEdit && (
            <Button look="primary" onClick={() => open('new')}>
              <Plus aria-hidden className="icon" />
              New rule
            </Button>
          )}
        </span>
      }
      panel={
        show === 'try' && (
          <TryPanel
            tryResult={tryResult}
            hasRules={(data?.items.length ?? 0) > 0}
            onTry={setAttempt}
            onClose={() => toggleTry(false)}
          />
        )
      }
    >
      {rules.isPending && <SkeletonRows />}
      {rules.error && !data && <Failure error={rules.error} onRetry={() => rules.refetch()} />}
      {data?.items.length === 0 && (
        <NoRules message={data.default.message} onCreate={canEdit ? () => open('new') : undefined} />
      )}
      {data && data.items.length > 0 && (
        <RuleList
          rules={data.items}
          fallback={data.default}
          tryResult={show === 'try' ? tryResult.data : undefined}
          canEdit={canEdit}
          onEdit={open}
        />
      )}
      {opened === 'new' && canEdit && <RuleDialog onClose={() => open(undefined)} />}
      {editedRule && canEdit && (
        <RuleDialog key={editedRule.id} rule={editedRule} onClose={() => open(undefined)} />
      )}
    </Page>
  )
}

const NoRules = ({ message, onCreate }: { message?: string; onCreate?: () => void }) => (
  <Empty
    icon={Signpost}
    title="No rules yet"
    action={
      onCreate && (
        <Button look="primary" onClick={onCreate}>
          New rule
        </Button>
      )
    }
    commandLead={t`See who would answer, from the command line:`}
    command="npx atrium telephony try --from +4915112345678 --to +4930123456"
  >
    Rules decide who answers a call or text (an agent, a person, a workflow or voicemail), for which numbers
    and when. The first match applies. If none matches, callers hear a message and the call ends
    {message ? `: “${message}”` : '.'}
  </Empty>
)
