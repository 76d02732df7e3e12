import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { type OrganizationDetails, operatedOrganizationQuery } from '../../../api/organizations.ts'
import { formatCost } from '../../../components/amounts.ts'
import { buttonClass } from '../../../components/button.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { Failure } from '../../../components/failure.tsx'
import { FactRow } from '../../../components/layout/fact.tsx'
import { Name } from '../../../components/name.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { ErasureSection } from '../organization/erasure-section.tsx'
import { ExportsSection } from '../organization/exports-section.tsx'
import { formatAmount } from '../quotas/quota-bar.tsx'
import { OrganizationStatusLabel } from './organization-status.tsx'
import { QuotasSection } from './quotas-section.tsx'
import { SuspensionSection } from './suspension-section.tsx'

const route = getRouteApi('/app/operate/organizations/$id')

export function OrganizationPage() {
  const { id } = route.useParams()
  const query = useQuery(operatedOrganizationQuery(id))
  const { data } = query
  return (
    <Page
      title={data?.name ?? t`Organization`}
      breadcrumb={
        <Link
          to="/operate/organizations"
          aria-label="All organizations"
          className={buttonClass('quiet', 'icon')}
        >
          <ArrowLeft aria-hidden className="icon" />
        </Link>
      }
    >
      {query.isPending && <SkeletonRows />}
      {query.error && !data && <Failure error={query.error} onRetry={() => query.refetch()} />}
      {data && (
        <>
          <Section title="Usage" lead="Counted when you opened this page.">
            <Facts organization={data} />
          </Section>
          <SuspensionSection organization={data} />
          <QuotasSection id={id} />
          <ExportsSection organizationId={id} />
          <ErasureSection organization={data} erasure={data.erasure} byOperator />
        </>
      )}
    </Page>
  )
}

function Facts({
  organization: { id, status, owners, usage, createdAt },
}: {
  organization: OrganizationDetails
}) {
  const { members, projects, files, storage, runs, spend, activeAt } = usage
  const formatUsage = ({ used, allowed }: typeof files, unit: 'items' | 'bytes') =>
    t`${formatAmount(used, unit)} of ${formatAmount(allowed, unit)}`
  return (
    <dl className="border-neutral-6 border-t text-13 tabular-nums">
      <FactRow label="Status">
        <OrganizationStatusLabel status={status} />
      </FactRow>
      <FactRow label="Organization ID">
        <CopyId id={id} what="organization ID" />
      </FactRow>
      <FactRow label={owners.length === 1 ? t`Owner` : t`Owners`}>
        <ul>
          {owners.map((owner) => (
            <li key={owner.id} className="wrap-anywhere">
              <Name>{owner.name}</Name> <span className="text-neutral-11">{owner.email}</span>
            </li>
          ))}
        </ul>
      </FactRow>
      <FactRow label="Members">{formatAmount(members, 'items')}</FactRow>
      <FactRow label="Projects">{formatUsage(projects, 'items')}</FactRow>
      <FactRow label="Files">{formatUsage(files, 'items')}</FactRow>
      <FactRow label="File storage">{formatUsage(storage, 'bytes')}</FactRow>
      <FactRow label="Runs">{formatAmount(runs, 'items')}</FactRow>
      <FactRow label="Spend">{formatCost({ amount: spend })}</FactRow>
      <FactRow label="Last active">
        <Time at={activeAt} />
      </FactRow>
      <FactRow label="Created">
        <Time at={createdAt} />
      </FactRow>
    </dl>
  )
}
