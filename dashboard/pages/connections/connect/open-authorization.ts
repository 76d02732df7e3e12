/**
 * Opens the page of a provider in a new tab. Called in a click handler: a browser blocks a tab that opens after a
 * request. The page gets no access to this tab. Without a new tab, it opens in this one.
 */
export async function openAuthorization(read: () => Promise<string | null>): Promise<void> {
  const tab = window.open('', '_blank')
  try {
    const url = await read()
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
