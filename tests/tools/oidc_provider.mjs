// An OpenID Connect provider as others write it, for people with a browser: it believes whatever name they type.
// Prints a line once it listens.

import Provider from "oidc-provider";

const [port, redirectUri, clientId, clientSecret] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
  claims: {
    openid: ["sub"],
    profile: ["name", "preferred_username"],
    email: ["email", "email_verified"],
    groups: ["groups"],
  },
  cookies: { keys: ["of a test"] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      name: `Called ${id}`,
      preferred_username: id,
      email: `${id}@example.com`,
      email_verified: true,
      groups: id.startsWith("boss") ? ["stow-admins"] : [],
    }),
  }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));
