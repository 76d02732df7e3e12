/**
 * Opens the page of a provider in a new tab. Called in a click handler: a browser blocks a tab that opens after a
 * request. The page gets no access to this tab. If the browser blocks the tab, the page opens in this tab.
 */
export async function openAuthorization(readUrl: () => Promise<string | null>): Promise<void> {
  const tab = window.open('', '_blank')
  try {
    const url = await readUrl()
    if (!url || !/^https?:/.test(url)) tab?.close()
    else if (tab) {
      tab.opener = null
      tab.location.replace(url)
    } else window.location.assign(url)
  } catch (error) {
    tab?.close()
    throw error
  }
}
