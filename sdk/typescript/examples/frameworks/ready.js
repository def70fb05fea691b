/** The asset, once its bytes were looked at. The page's own server answers for it. */
export async function readyAsset(id) {
  for (;;) {
    const asset = await (await fetch(`/assets/${id}`)).json()
    if (asset.processingStatus !== 'processing') return asset
  }
}
