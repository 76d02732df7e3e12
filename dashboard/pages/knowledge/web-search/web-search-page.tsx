import { useQuery } from '@tanstack/react-query'
import { SEARCH_PROVIDERS } from '../../../../contract/knowledge/search-providers.ts'
import { t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { webSearchQuery, webSearchSettingsQuery } from '../../../api/web-search.ts'
import { Failure } from '../../../components/failure.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { CurrentProvider } from './current-provider.tsx'
import { ProviderForm } from './provider-form.tsx'

export function WebSearchPage() {
  const { role } = useSession()
  const canEdit = role !== 'member'
  const search = useQuery(webSearchQuery)
  const settings = useQuery({ ...webSearchSettingsQuery, enabled: canEdit })
  const failed = [search, settings].find(({ error, data }) => error && !data)
  return (
    <Page title="Web search">
      {failed?.error && <Failure error={failed.error} onRetry={() => failed.refetch()} />}
      {!failed && (search.isPending || (canEdit && settings.isPending)) && <SkeletonRows />}
      {search.data && (
        <Section
          title="Provider"
          lead="Where agents search the web, if their Web tools are on. The provider sees what they search for."
        >
          <CurrentProvider provider={search.data.provider} canEdit={canEdit} />
        </Section>
      )}
      {settings.data && (
        <Section
          title={settings.data.settings ? t`Change provider` : t`Choose a provider`}
          lead={leadOf(settings.data.server?.kind)}
        >
          <ProviderForm key={settings.data.settings?.updatedAt ?? 'new'} settings={settings.data.settings} />
        </Section>
      )}
      {search.data && (
        <Section title="Limits" lead="Set by this server’s operator.">
          <p className="text-13">
            {t`A run makes at most ${search.data.limits.searchesPerRun} searches and reads at most ${search.data.limits.fetchesPerRun} web pages.`}
          </p>
        </Section>
      )}
    </Page>
  )
}

const leadOf = (server: keyof typeof SEARCH_PROVIDERS | undefined) =>
  server
    ? t`Replaces this server’s provider, ${SEARCH_PROVIDERS[server].name}, for this organization.`
    : t`For all agents of this organization.`
