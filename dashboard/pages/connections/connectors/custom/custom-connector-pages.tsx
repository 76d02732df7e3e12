import { getRouteApi } from '@tanstack/react-router'
import { CustomConnectorPage, NewCustomConnectorPage } from './custom-connector-page.tsx'
import { ImportConnectorPage } from './import-page.tsx'

const route = getRouteApi('/app/integrations/custom/$slug')

export function CustomConnectorPages() {
  const { slug } = route.useParams()
  if (slug === 'new') return <NewCustomConnectorPage />
  if (slug === 'import') return <ImportConnectorPage />
  return <CustomConnectorPage key={slug} slug={slug} />
}
