// Made by `npm run types` from the OpenAPI document. Do not edit.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every document that describes this API
         * @description The documents themselves are public; this list, like all of the API, needs a token, but no scope.
         */
        get: operations["getIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts, newest first
         * @description Needs the scope `admin`.
         */
        get: operations["listAccounts"];
        put?: never;
        /**
         * Make an account for somebody. The link in the answer lets them choose a password; it works once, for a day
         * @description It is mailed to their address too, if mail is set up.
         *
         *     Needs the scope `admin`.
         */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/accounts/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one account
         * @description Needs the scope `admin`.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        /**
         * Delete an account, its sessions and every token of its owner. Tasks stay; the name is never given again
         * @description Needs the scope `admin`.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        /**
         * Change an account: its profile, its role, whether it is disabled or needs two factors
         * @description A disabled account cannot sign in, and no token acts for its owner until it is enabled again; this, and a lost role,
         *     hold everywhere within a second.
         *
         *     Needs the scope `admin`.
         */
        patch: operations["updateAccount"];
        trace?: never;
    };
    "/access/accounts/{account_id}/reset-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link by which the person chooses a new password; it works once, for a day, and ends earlier ones
         * @description It is mailed to their address too, if mail is set up.
         *
         *     Needs the scope `admin`.
         */
        post: operations["createResetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the applications that may ask people: registered by admins, by themselves, or known by a document
         * @description Needs the scope `admin`.
         */
        get: operations["listApplications"];
        put?: never;
        /**
         * Register an application that acts for people
         * @description It has no secret: it proves with PKCE that the answer is its own.
         *
         *     Needs the scope `admin`.
         */
        post: operations["createApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/applications/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an application. All that people allowed it ends, within a second
         * @description Needs the scope `admin`.
         */
        delete: operations["deleteApplication"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was done to accounts, tokens, clients and the installation, newest first
         * @description Needs the scope `admin`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the OAuth clients, newest first
         * @description Needs the scope `admin`.
         */
        get: operations["listClients"];
        put?: never;
        /**
         * Register an OAuth client
         * @description It exchanges its id and secret for access tokens at `POST /oauth/token` (client credentials). The secret is shown
         *     this once.
         *
         *     Needs the scope `admin`.
         */
        post: operations["createClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/clients/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an OAuth client and revoke the tokens it was given
         * @description Needs the scope `admin`.
         */
        delete: operations["deleteClient"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations that are open, newest first
         * @description Needs the scope `admin`.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody. The link works once, for a week; hand it over
         * @description It is mailed to `email` too, if mail is set up.
         *
         *     Needs the scope `admin`.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an invitation: its link is of no use any more
         * @description Needs the scope `admin`.
         */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the account of the person whose token this is */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one's profile, or whether signing in needs two factors. Only from one's own browser */
        patch: operations["updateMe"];
        trace?: never;
    };
    "/access/me/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the applications that may act for oneself, newest first */
        get: operations["listMyApplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/me/applications/{consent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Let an application act for oneself no longer. Its tokens stop within a second */
        delete: operations["revokeMyApplication"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/me/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the providers' identities by which one signs in, newest first. A new one is connected at /signin/connect */
        get: operations["listMyIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/me/identities/{identity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take one away: it signs nobody in any more. Needs a fresh proof of who one is, and another way in */
        delete: operations["deleteMyIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one's passkeys, newest first */
        get: operations["listMyPasskeys"];
        put?: never;
        /** Keep a passkey that the browser has made of what was asked for last. Needs a fresh proof of who one is */
        post: operations["createMyPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/me/passkeys/{passkey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a passkey: it signs nobody in any more. Needs a fresh proof of who one is */
        delete: operations["deleteMyPasskey"];
        options?: never;
        head?: never;
        /** Give a passkey another name. Needs a fresh proof of who one is */
        patch: operations["renameMyPasskey"];
        trace?: never;
    };
    "/access/me/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for what a browser needs to make a passkey. Needs a fresh proof of who one is */
        post: operations["beginMyPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose a new password. Every other session ends; personal tokens stay */
        post: operations["changeMyPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/me/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say how many recovery codes are left */
        get: operations["countMyRecoveryCodes"];
        put?: never;
        /** Make ten recovery codes; those that there were are void. Needs a fresh proof of who one is */
        post: operations["renewMyRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the browsers in which one is signed in, newest first */
        get: operations["listMySessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/me/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign out one browser; its tokens stop within a second */
        delete: operations["endMySession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/me/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the live tokens that one has made, newest first */
        get: operations["listMyTokens"];
        put?: never;
        /**
         * Make a token of one's own, for a program. It is shown this once
         * @description It acts as its person, with at most the scopes of the token that makes it, and is an automation token: it never
         *     sees zero-knowledge bodies. Needs a fresh proof of who one is.
         */
        post: operations["createMyToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/me/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a token of one's own. It stops working in every process within a second */
        delete: operations["revokeMyToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the token of this very request: whose it is and what it may do */
        get: operations["getOwnToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live tokens of every owner, newest first
         * @description Needs the scope `admin`.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Issue an access token
         * @description The secret is in `token` and is shown this once; the server keeps only a digest of it.
         *
         *     Needs the scope `admin`.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one live token
         * @description Needs the scope `admin`.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        /**
         * Revoke a token. It stops working in every process within a second
         * @description Needs the scope `admin`.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened, oldest first
         * @description A token with `tasks:read` sees what happens to its owner's tasks and boards, one with `media:read` what happens to
         *     media. `meta.nextCursor` is always set: keep it, and ask again with it to see each event exactly once. While
         *     `meta.hasMore` is true there may be more behind the page, even if it is empty. Without a cursor the feed begins now.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happens, as it happens, as server-sent events
         * @description The stream begins after the event that `Last-Event-ID` or `cursor` names, without either from now on. Its events are
         *     those of the feed, and the `id` of each is a cursor. It ends now and then, and with its token: come back with the
         *     last `id`. An event `reset` says that events after the cursor are no longer kept.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List background jobs: those that were given up, that wait, that run and that will be tried again
         * @description Needs the scope `admin`.
         */
        get: operations["listBackgroundJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a job that was given up fresh attempts
         * @description Needs the scope `admin`.
         */
        post: operations["retryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List assets, newest first if no order is asked for
         * @description A page may be shorter than its limit although more follow: go by `meta.hasMore`. Assets whose bytes have not arrived
         *     yet are listed by `processingStatus=pending` alone.
         *
         *     Needs the scope `media:read`.
         */
        get: operations["listAssets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/assets/{asset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one asset
         * @description Needs the scope `media:read`.
         */
        get: operations["getAsset"];
        put?: never;
        post?: never;
        /**
         * Delete an asset for good, with its bytes. Every link to it stops working at once
         * @description Needs the scope `media:delete`.
         */
        delete: operations["deleteAsset"];
        options?: never;
        head?: never;
        /**
         * Change what is said about an asset
         * @description What is omitted keeps its value; null clears `alt`, `title`, `focalPoint` and `tags`. A change of `visibility` ends
         *     every signed URL that is out; that of an asset which is bound to namespaces is changed by admins alone.
         *
         *     Needs the scope `media:write`.
         */
        patch: operations["updateAsset"];
        trace?: never;
    };
    "/media/assets/{asset_id}/namespaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bind an asset to the namespaces whose tokens may mint signed URLs of it. Needs an admin token
         * @description An empty list leaves it to admins, null to every token that reads. Signed URLs that are out stop if somebody loses
         *     the right.
         *
         *     Needs the scope `admin`.
         */
        post: operations["bindNamespaces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/assets/{asset_id}/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the bytes of an asset; its id and all that was said about it stay
         * @description The bytes before are served until the new ones are processed: poll the asset until `processingStatus` is `ready`.
         *     An image is replaced by an image only.
         *
         *     Needs the scope `media:write`.
         */
        post: operations["replaceAsset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/assets/{asset_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resolve a public asset to its delivery URL, as it is or as one of the transform classes
         * @description Needs the scope `media:read`.
         */
        get: operations["resolveAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/assets/{asset_id}/url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint a signed URL: anyone who has it gets the bytes until it expires
         * @description Asking again soon gives the same URL, so that caches keep what they have. The URL stops at once when the asset is
         *     deleted, made protected or bound to fewer namespaces.
         *
         *     Needs the scope `media:read`.
         */
        post: operations["signAssetUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/assets/{asset_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tasks of the token's owner that have an asset attached, newest first
         * @description It needs the scope `tasks:read` as well.
         *
         *     Needs the scope `media:read`.
         */
        get: operations["listAssetUses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/assets/batch-delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete up to 100 assets for good
         * @description Needs the scope `media:delete`.
         */
        post: operations["batchDeleteAssets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/assets/batch-tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add tags to up to 100 assets, or remove them
         * @description If one of the assets would have more than 50 tags, nothing is changed.
         *
         *     Needs the scope `media:write`.
         */
        post: operations["batchTagAssets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/assets/by-ids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read up to 100 assets by their ids, in the order of the ids, each once
         * @description Needs the scope `media:read`.
         */
        post: operations["getAssetsByIds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/assets/urls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint signed URLs of up to 100 assets, in the order of the ids, each once
         * @description An asset that gives none does not keep the others from theirs: `meta.refused` says why.
         *
         *     Needs the scope `media:read`.
         */
        post: operations["signAssetUrls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/cdn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a client needs to set itself up: where files are served, which classes there are, and every limit
         * @description Needs the scope `media:read`.
         */
        get: operations["getCdn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count assets, videos and uploads, and the bytes of them
         * @description Needs the scope `media:read`.
         */
        get: operations["getMediaStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags of assets, with counts, in the order of their names
         * @description Needs the scope `media:read`.
         */
        get: operations["listMediaTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/tags/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rename a tag of all assets and videos, or merge it into one that exists
         * @description Up to 100 of them are changed at once; of more, `id` is that of a job whose progress can be asked for.
         *
         *     Needs the scope `media:write`.
         */
        post: operations["renameMediaTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/tags/renames/{rename_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far the renaming of a tag is; for a week after its end. Only its own owner's is found
         * @description Needs the scope `media:read`.
         */
        get: operations["getMediaTagRename"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/transform-classes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what images can be made into: the built-in transform classes and the operator's own
         * @description Needs the scope `media:read`.
         */
        get: operations["listTransformClasses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/upload/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file of any type, its bytes in base64
         * @description The asset is `ready` when it is answered. At most 10 MiB of base64 text, which is a file of 7.5 MiB;
         *     larger ones by `POST /media/upload/presigned`.
         *
         *     Needs the scope `media:write`.
         */
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/upload/from-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have the service fetch an image, a file or a video from a URL
         * @description It is fetched after the answer, through the guard that webhooks go through: https, public addresses, and networks
         *     that the operator allows. Then it is processed as any other upload; `media.asset.ready`, `media.video.ready` or the
         *     failure of either tells of the end.
         *
         *     Needs the scope `media:write`.
         */
        post: operations["uploadFromUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/upload/from-url/{asset_or_video_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far an upload by URL is, by the id of its asset or video
         * @description Needs the scope `media:read`.
         */
        get: operations["getUploadFromUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/upload/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload an image, its bytes in base64
         * @description Only what decodes as an image is taken. The asset is `ready` when it is answered. While the server is very busy,
         *     `placeholder` may be null in the answer, and be there a moment later. At most 10 MiB of base64 text, which is a file
         *     of 7.5 MiB; larger ones by `POST /media/upload/presigned`.
         *
         *     Needs the scope `media:write`.
         */
        post: operations["uploadImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/upload/presigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Announce an upload, and get the address to send its bytes to
         * @description Send them with one `PUT` to `uploadUrl`, or resumably with TUS to `tusUploadUrl`; neither needs a token. A new asset
         *     is `pending` until then, and is not listed. With `assetId`, the bytes replace those of an asset that exists.
         *
         *     Needs the scope `media:write`.
         */
        post: operations["presignUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List videos, newest first
         * @description A page may be shorter than its limit although more follow: go by `meta.hasMore`.
         *
         *     Needs the scope `media:read`.
         */
        get: operations["listVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/videos/{provider_video_id}/signed-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint URLs that play a video for a time
         * @description The path takes `providerVideoId`; the video's `id` is not found there. Any status will do: until there is
         *     something to play, the URLs answer 404 with `Retry-After`.
         *
         *     Needs the scope `media:read`.
         */
        post: operations["createVideoSignedUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/videos/{video_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one video
         * @description Needs the scope `media:read`.
         */
        get: operations["getVideo"];
        put?: never;
        post?: never;
        /**
         * Delete a video for good, with all that was made of it
         * @description Processing is stopped, an unfinished upload is dropped, and links that play the video answer 404 at once.
         *
         *     Needs the scope `media:delete`.
         */
        delete: operations["deleteVideo"];
        options?: never;
        head?: never;
        /**
         * Change a video's title, tags, visibility or metadata
         * @description What is omitted keeps its value. A change of the visibility ends every signed URL that is out.
         *
         *     Needs the scope `media:write`.
         */
        patch: operations["updateVideo"];
        trace?: never;
    };
    "/media/videos/{video_id}/captions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the languages in which a video has captions
         * @description Needs the scope `media:read`.
         */
        get: operations["listVideoCaptions"];
        put?: never;
        /**
         * Give a video captions, in place of those that it has in this language
         * @description WebVTT and SRT are taken, in any state of the video. They are in the playlist at once, written anew: styles, notes
         *     and tags other than those for bold, italic, underlined and voices are left out.
         *
         *     Needs the scope `media:write`.
         */
        post: operations["putVideoCaptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/videos/{video_id}/captions/{language}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a video's captions in one language away
         * @description Needs the scope `media:delete`.
         */
        delete: operations["deleteVideoCaptions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/videos/{video_id}/finalize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that all bytes are there, so that processing begins
         * @description Repeating it changes nothing. An upload whose length was never told ends where it stands.
         *
         *     Needs the scope `media:write`.
         */
        post: operations["finalizeVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/videos/{video_id}/poster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose what a video shows before it plays
         * @description With `assetId` a copy of that image is the poster at once. With `time` the picture of that moment is looked for; the
         *     poster of before stays until it is found, and `media.video.updated` tells of it.
         *
         *     Needs the scope `media:write`.
         */
        post: operations["chooseVideoPoster"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/videos/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a video, and get the address that takes its bytes
         * @description Send the file to `tusUploadUrl` by the TUS protocol, then finalize. The address is its own proof: who has it may
         *     upload. It waits 24 hours for the first byte, and as long again after each later one.
         *
         *     Needs the scope `media:write`.
         */
        post: operations["createVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look for words in tasks, assets and videos
         * @description Words of titles, bodies that the server can read, tags, filenames and descriptions; all of them have to be there,
         *     the last one also as the beginning of a word. Archived tasks are not looked at. A page is never empty while more
         *     follow.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/boards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the boards, newest first
         * @description Needs the scope `tasks:read`.
         */
        get: operations["listBoards"];
        put?: never;
        /**
         * Create a board with the columns To do (entry), In progress and Done (terminal)
         * @description Needs the scope `tasks:write`.
         */
        post: operations["createBoard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/boards/{board_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one board with its columns
         * @description Needs the scope `tasks:read`.
         */
        get: operations["getBoard"];
        put?: never;
        post?: never;
        /**
         * Delete a board. Its tasks stay, on no board
         * @description Needs the scope `tasks:delete`.
         */
        delete: operations["deleteBoard"];
        options?: never;
        head?: never;
        /**
         * Rename or describe a board
         * @description Needs the scope `tasks:write`.
         */
        patch: operations["updateBoard"];
        trace?: never;
    };
    "/taskapp/boards/{board_id}/columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a board's columns in their order
         * @description Needs the scope `tasks:read`.
         */
        get: operations["listColumns"];
        put?: never;
        /**
         * Add a column to a board. Several columns may have the same status
         * @description Needs the scope `tasks:write`.
         */
        post: operations["createColumn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/boards/{board_id}/columns/{column_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a column. Its tasks go to another column of the same status, else to the entry column
         * @description Needs the scope `tasks:delete`.
         */
        delete: operations["deleteColumn"];
        options?: never;
        head?: never;
        /**
         * Rename or reorder a column, or make it the board's entry or terminal column
         * @description Needs the scope `tasks:write`.
         */
        patch: operations["updateColumn"];
        trace?: never;
    };
    "/taskapp/boards/{board_id}/placements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where each task of a board is, column by column and in their order
         * @description Needs the scope `tasks:read`.
         */
        get: operations["listPlacements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a secret address at which calendar programs can read the dated tasks
         * @description Another address that was made before ends. Whoever knows the address needs no token; add `?type=todo` to it for
         *     programs that have to-dos.
         *
         *     Needs the scope `tasks:write`.
         */
        post: operations["createCalendar"];
        /**
         * End the address of the calendar
         * @description Needs the scope `tasks:write`.
         */
        delete: operations["deleteCalendar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags of tasks that are not archived, with counts, in the order of their names
         * @description Needs the scope `tasks:read`.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/tags/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rename a tag of all the owner's tasks, archived ones too, or merge it into one that exists
         * @description Up to 100 tasks are changed at once; of more, `id` is that of a job whose progress can be asked for.
         *
         *     Needs the scope `tasks:write`.
         */
        post: operations["renameTaskTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/tags/renames/{rename_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far the renaming of a tag is; for a week after its end
         * @description Needs the scope `tasks:read`.
         */
        get: operations["getTaskTagRename"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/task-index/backfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate the task index, a bounded batch at a time
         * @description Run it until `complete` is true before the first list. It goes on where the last call stopped; repeating it is safe.
         *
         *     Needs the scope `tasks:write`.
         */
        post: operations["backfillTaskIndex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks, newest first if no other order is asked for, and those of a board in its order
         * @description A page may be shorter than its limit although more follow: go by `meta.hasMore`.
         *
         *     Needs the scope `tasks:read`.
         */
        get: operations["listTasks"];
        put?: never;
        /**
         * Create a task
         * @description A retry with the same `idempotencyKey` answers 200 with the task as it is now, and `meta.idempotentReplay`.
         *
         *     Needs the scope `tasks:write`.
         */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one task
         * @description Needs the scope `tasks:read`.
         */
        get: operations["getTask"];
        put?: never;
        post?: never;
        /**
         * Delete a task for good
         * @description Needs the scope `tasks:delete`.
         */
        delete: operations["deleteTask"];
        options?: never;
        head?: never;
        /**
         * Change a task
         * @description What is omitted keeps its value. `tags: []` clears the tags; `clearDueAt`, `clearReminder` or null clear a value.
         *     A `status` moves the task to the end of that column; `archived` archives or restores it. Turning a task
         *     zero-knowledge forgets its plaintext for good.
         *
         *     Needs the scope `tasks:write`.
         */
        patch: operations["updateTask"];
        trace?: never;
    };
    "/taskapp/tasks/{task_id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hide a task from default lists. It keeps its place
         * @description Needs the scope `tasks:write`.
         */
        post: operations["archiveTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/tasks/{task_id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a task
         * @description A recurring one, even if it is done, gets its next due date and returns to the entry column while its series goes
         *     on; any other is done, in the terminal column.
         *
         *     Needs the scope `tasks:write`.
         */
        post: operations["completeTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/tasks/{task_id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Move a task to a status, and optionally to a board and a place in its column
         * @description Needs the scope `tasks:write`.
         */
        patch: operations["moveTask"];
        trace?: never;
    };
    "/taskapp/tasks/{task_id}/occurrences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the completed occurrences of a recurring task, latest first
         * @description Needs the scope `tasks:read`.
         */
        get: operations["listOccurrences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/tasks/{task_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring an archived task back to where it was
         * @description Needs the scope `tasks:write`.
         */
        post: operations["restoreTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/tasks/{task_id}/upcoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List when a recurring task will be due after its present date, if each occurrence is completed in its time
         * @description Needs the scope `tasks:read`.
         */
        get: operations["listUpcoming"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/tasks/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create, change, move, complete and archive up to 100 tasks in one request
         * @description Operations are done in their order, and each has a result. With `atomic`, the first one that is refused undoes all
         *     of them: its error is the answer, and names it.
         *
         *     Needs the scope `tasks:write`.
         */
        post: operations["batchTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/tasks/parse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a line such as «Renew cert fri 9am #ops every month» as a task, and make nothing
         * @description What is not understood, or could be meant in two ways, stays in the title.
         *
         *     Needs the scope `tasks:read`.
         */
        post: operations["parseTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/vault-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one's wrapped vault keys, oldest first. For interactive tokens
         * @description Needs the scope `tasks:read`.
         */
        get: operations["listVaultKeys"];
        put?: never;
        /**
         * Keep a wrapped vault key. One that is there is never replaced. For interactive tokens
         * @description Needs the scope `tasks:write`.
         */
        post: operations["createVaultKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/taskapp/vault-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Forget a wrapped vault key. Bodies that it sealed stay as they are. For interactive tokens
         * @description Needs the scope `tasks:delete`.
         */
        delete: operations["deleteVaultKey"];
        options?: never;
        head?: never;
        /**
         * Put a new wrapping of the same vault key in place of the old one: another passphrase. For interactive tokens
         * @description Needs the scope `tasks:write`.
         */
        patch: operations["updateVaultKey"];
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the owner's webhooks, newest first
         * @description Needs the scope `webhooks:manage`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Have events sent to an address
         * @description Each request is signed as Standard Webhooks say, with the `secret` that is shown this once. The webhook is told what
         *     the token that makes it can see: of tasks and boards with `tasks:read`, of media with `media:read`.
         *
         *     Needs the scope `webhooks:manage`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one webhook
         * @description Needs the scope `webhooks:manage`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its log
         * @description Needs the scope `webhooks:manage`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Enabled again, it is sent what was waiting; `…/replay` sends what happened while it was disabled.
         *
         *     Needs the scope `webhooks:manage`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was sent to a webhook or is about to be, latest event first
         * @description Needs the scope `webhooks:manage`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/deliveries/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one delivery with its attempts: when, how long, status, and the first kilobyte of the answer
         * @description Needs the scope `webhooks:manage`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/deliveries/{event_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one event again, whether or not it was delivered
         * @description Needs the scope `webhooks:manage`.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again what failed, or all since a time: at most 1,000, oldest first
         * @description With `since` the answer's `since` says where to go on. Receivers know an event by its `webhook-id`, which stays.
         *
         *     Needs the scope `webhooks:manage`.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make another secret, shown this once. For 24 hours the one before signs as well
         * @description Needs the scope `webhooks:manage`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a `webhook.test` event to this webhook alone
         * @description Needs the scope `webhooks:manage`.
         */
        post: operations["sendWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "board.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A board was created
         * @description Needs the scope `tasks:read`.
         */
        post: operations["onBoardCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "board.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A board was deleted; its tasks stay
         * @description Needs the scope `tasks:read`.
         */
        post: operations["onBoardDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "board.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A board or one of its columns was changed
         * @description Needs the scope `tasks:read`.
         */
        post: operations["onBoardUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.asset.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The bytes of a new asset have arrived
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaAssetCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.asset.damaged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An asset's bytes were damaged in the store, and are refused
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaAssetDamaged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.asset.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An asset was deleted
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaAssetDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.asset.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An asset's new bytes could not be processed
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaAssetFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.asset.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An asset's bytes are processed and served
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaAssetReady"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.asset.repaired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An asset's bytes are whole again
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaAssetRepaired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.asset.replaced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An asset has other bytes than before
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaAssetReplaced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.asset.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What is said about an asset was changed
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaAssetUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.video.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All sizes of a video that there will be are made
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaVideoCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.video.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A video was created, and waits for its bytes
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaVideoCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.video.damaged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A file of a video was damaged in the store, and is refused
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaVideoDamaged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.video.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A video was deleted
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaVideoDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.video.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The bytes of a video did not come in time
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaVideoExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.video.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A video cannot be made playable
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaVideoFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.video.processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A video was finalized, and is made playable
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaVideoProcessing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.video.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A video can be played
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaVideoReady"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.video.repaired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A file of a video is whole again
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaVideoRepaired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.video.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What is said about a video was changed
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaVideoUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.video.uploaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All bytes of a video have arrived
         * @description Needs the scope `media:read`.
         */
        post: operations["onMediaVideoUploaded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.archived": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task was archived
         * @description Needs the scope `tasks:read`.
         */
        post: operations["onTaskArchived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task is done, or rolled on to its next date
         * @description Needs the scope `tasks:read`.
         */
        post: operations["onTaskCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task was created
         * @description Needs the scope `tasks:read`.
         */
        post: operations["onTaskCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task was deleted for good
         * @description Needs the scope `tasks:read`.
         */
        post: operations["onTaskDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.moved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task got another place
         * @description Needs the scope `tasks:read`.
         */
        post: operations["onTaskMoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.reminder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The time of a task's reminder has come
         * @description Needs the scope `tasks:read`.
         */
        post: operations["onTaskReminder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task was brought back from the archive
         * @description Needs the scope `tasks:read`.
         */
        post: operations["onTaskRestored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Members of a task were changed
         * @description Needs the scope `tasks:read`.
         */
        post: operations["onTaskUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook is sent nothing any more
         * @description Needs the scope `webhooks:manage`.
         */
        post: operations["onWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test was asked for; it goes to that webhook alone
         * @description Needs the scope `webhooks:manage`.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * AccountBody
         * @description An account that an admin makes for somebody.
         */
        AccountBody: {
            displayName?: string | null;
            email?: string | null;
            role?: components["schemas"]["Role"] | null;
            /** @description The owner of their tasks. It may own some already; it never changes. */
            username: string;
        };
        /**
         * AccountPatch
         * @description What to change about an account; what is left out stays.
         */
        AccountPatch: {
            disabled?: boolean;
            displayName?: string | null;
            email?: string | null;
            role?: components["schemas"]["Role"];
            /** @description False for somebody who lost passkey and codes. */
            twoFactor?: boolean;
        };
        /**
         * AccountView
         * @description A person's account; `username` is the owner of their tasks and tokens.
         */
        AccountView: {
            /** Format: int64 */
            createdAt: number;
            disabled: boolean;
            displayName: string;
            email: string | null;
            id: string;
            lastSeenAt: number | null;
            remindByMail: boolean;
            role: components["schemas"]["Role"];
            twoFactor: boolean;
            username: string;
        };
        /** AccountViewAnswer */
        AccountViewAnswer: {
            data: components["schemas"]["AccountView"];
            meta: components["schemas"]["NoMeta"];
        };
        /** AccountViewPage */
        AccountViewPage: {
            data: components["schemas"]["AccountView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * AccountWithLink
         * @description A new account, and the link by which its person chooses a password.
         */
        AccountWithLink: {
            /** Format: int64 */
            createdAt: number;
            disabled: boolean;
            displayName: string;
            email: string | null;
            id: string;
            lastSeenAt: number | null;
            link: string;
            /** Format: int64 */
            linkExpiresAt: number;
            remindByMail: boolean;
            role: components["schemas"]["Role"];
            twoFactor: boolean;
            username: string;
        };
        /** AccountWithLinkAnswer */
        AccountWithLinkAnswer: {
            data: components["schemas"]["AccountWithLink"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * ApplicationBody
         * @description An application to register; it needs addresses for its answers, or to be for devices.
         */
        ApplicationBody: {
            /** @description By default `false`. */
            device?: boolean | null;
            /** @description What people are told. */
            name: string;
            redirectUris?: string[] | null;
        };
        /**
         * ApplicationView
         * @description An application that may ask people to act for them.
         */
        ApplicationView: {
            clientId: string;
            /** Format: int64 */
            createdAt: number;
            device: boolean;
            name: string;
            origin: components["schemas"]["Origin"];
            redirectUris: string[];
            registeredFrom: string;
            usedAt: number | null;
        };
        /** ApplicationViewAnswer */
        ApplicationViewAnswer: {
            data: components["schemas"]["ApplicationView"];
            meta: components["schemas"]["NoMeta"];
        };
        /** ApplicationViewPage */
        ApplicationViewPage: {
            data: components["schemas"]["ApplicationView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * Archived
         * @enum {string}
         */
        Archived: "false" | "only" | "true";
        /**
         * ArchiveOperation
         * @description Archive a task.
         */
        ArchiveOperation: {
            id: string;
            ifMatch?: number | null;
            /** @enum {string} */
            op: "archive";
        };
        /**
         * AssetFailed
         * @description `errorCode` is that of the asset's processingError.
         */
        AssetFailed: {
            assetId: string;
            errorCode: string | null;
            processingStatus: string;
            /** Format: int64 */
            version: number;
        };
        /**
         * AssetStats
         * @description Assets. Bytes that several assets share are counted for each.
         */
        AssetStats: {
            byKind: {
                [key: string]: components["schemas"]["Figures"];
            };
            byStatus: {
                [key: string]: components["schemas"]["Figures"];
            };
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            count: number;
        };
        /** AssetTold */
        AssetTold: {
            assetId: string;
            processingStatus: string;
            /** Format: int64 */
            version: number;
        };
        /**
         * AssetUpdated
         * @description `changed` names the members that are different now.
         */
        AssetUpdated: {
            assetId: string;
            changed: string[];
            processingStatus: string;
            /** Format: int64 */
            version: number;
        };
        /**
         * AssetView
         * @description An asset.
         */
        AssetView: {
            allowedNamespaces: string[] | null;
            alt: string | null;
            camera: string | null;
            checksum: string | null;
            /** Format: int64 */
            createdAt: number;
            createdBy: string;
            duration: number | null;
            filename: string;
            focalPoint: components["schemas"]["FocalPoint"] | null;
            frames: number | null;
            height: number | null;
            id: string;
            kind: components["schemas"]["MediaKind"];
            location: components["schemas"]["Location"] | null;
            metadata: {
                [key: string]: string;
            };
            mimeType: string;
            originalName: string | null;
            pages: number | null;
            placeholder: components["schemas"]["Placeholder"] | null;
            preview: string | null;
            processingError: components["schemas"]["ProcessingError"] | null;
            processingStatus: components["schemas"]["MediaStatus"];
            replacedAt: number | null;
            /** Format: int64 */
            size: number;
            tags: string[];
            takenAt: number | null;
            thumbnailUrl: string | null;
            title: string | null;
            /** Format: int64 */
            updatedAt: number;
            url: string | null;
            /** Format: int64 */
            version: number;
            visibility: components["schemas"]["MediaVisibility"];
            width: number | null;
        };
        /** AssetViewAnswer */
        AssetViewAnswer: {
            data: components["schemas"]["AssetView"];
            meta: components["schemas"]["NoMeta"];
        };
        /** AssetViewListMissingAnswer */
        AssetViewListMissingAnswer: {
            data: components["schemas"]["AssetView"][];
            meta: components["schemas"]["MissingMeta"];
        };
        /** AssetViewPage */
        AssetViewPage: {
            data: components["schemas"]["AssetView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * Attachment
         * @description An asset or a video of a task.
         */
        Attachment: {
            deleted: boolean;
            id: string;
        };
        /**
         * AttemptView
         * @description One request. `status` is null where there was no answer, and `error` says why; `answer` is its first kilobyte.
         */
        AttemptView: {
            answer: string;
            /** Format: int64 */
            at: number;
            error: string | null;
            /** Format: int64 */
            ms: number;
            status: number | null;
        };
        /**
         * AuditEntry
         * @description Something that was done, or refused.
         */
        AuditEntry: {
            action: string;
            actor: string;
            address: string | null;
            /** Format: int64 */
            createdAt: number;
            data: Record<string, never>;
            id: string;
            /** @enum {string} */
            outcome: "done" | "refused";
            subject: string;
            tokenId: string | null;
        };
        /** AuditEntryPage */
        AuditEntryPage: {
            data: components["schemas"]["AuditEntry"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * BackfillView
         * @description How far the index is. Call again until complete is true.
         */
        BackfillView: {
            complete: boolean;
            /** Format: int64 */
            processed: number;
            /** Format: int64 */
            processedTotal: number;
            status: components["schemas"]["IndexStatus"];
        };
        /** BackfillViewAnswer */
        BackfillViewAnswer: {
            data: components["schemas"]["BackfillView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * BatchBody
         * @description What to do, one after the other.
         */
        BatchBody: {
            /** @description By default `false`. */
            atomic?: boolean | null;
            /** @description At most 100. */
            operations: (components["schemas"]["CreateOperation"] | components["schemas"]["UpdateOperation"] | components["schemas"]["MoveOperation"] | components["schemas"]["CompleteOperation"] | components["schemas"]["ArchiveOperation"])[];
        };
        /**
         * BatchDeletedView
         * @description How many assets were deleted, and the ids that no asset has.
         */
        BatchDeletedView: {
            /** Format: int64 */
            deleted: number;
            missing: string[];
        };
        /** BatchDeletedViewAnswer */
        BatchDeletedViewAnswer: {
            data: components["schemas"]["BatchDeletedView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * BatchError
         * @description Why nothing was done: what the operation alone would have been refused with.
         */
        BatchError: {
            code: string;
            message: string;
        };
        /**
         * BatchMeta
         * @description `meta` of a batch: how many operations were done, and how many were refused.
         */
        BatchMeta: {
            /** Format: int64 */
            done: number;
            /** @description Members of the request's body that this operation does not know. */
            ignored?: string[];
            /** Format: int64 */
            refused: number;
        };
        /**
         * BatchResult
         * @description Of one operation: the status that it alone would have had, and the task as it left it, or the error.
         */
        BatchResult: {
            error: components["schemas"]["BatchError"] | null;
            /** Format: int64 */
            status: number;
            task: components["schemas"]["TaskView"] | null;
        };
        /** BatchResultListBatchAnswer */
        BatchResultListBatchAnswer: {
            data: components["schemas"]["BatchResult"][];
            meta: components["schemas"]["BatchMeta"];
        };
        /**
         * BatchTagsBody
         * @description What to do with which tags of which assets.
         */
        BatchTagsBody: {
            action: components["schemas"]["TagAction"];
            /** @description At most 100. */
            ids: string[];
            /** @description Each 1 to 64 characters without a comma. */
            tags: string[];
        };
        /**
         * Binding
         * @description Who may mint signed URLs of an asset.
         */
        Binding: {
            allowedNamespaces: string[] | null;
            assetId: string;
        };
        /** BindingAnswer */
        BindingAnswer: {
            data: components["schemas"]["Binding"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * BoardBody
         * @description A new board. It gets the columns To do, In progress and Done.
         */
        BoardBody: {
            description?: string | null;
            /** @description Trimmed; not empty. */
            name: string;
        };
        /**
         * BoardChanged
         * @description `changed` names the members that are different now; `columnId` the column that was added, changed or removed.
         */
        BoardChanged: {
            boardId: string;
            changed: string[];
            columnId: string | null;
            /** Format: int64 */
            version: number;
        };
        /** BoardCreated */
        BoardCreated: {
            boardId: string;
            /** Format: int64 */
            version: number;
        };
        /** BoardDeleted */
        BoardDeleted: {
            boardId: string;
        };
        /**
         * BoardPatch
         * @description Changes to a board. What is omitted keeps its value.
         */
        BoardPatch: {
            description?: string | null;
            /** @description Trimmed; not empty. */
            name?: string;
        };
        /**
         * BoardView
         * @description A board with its columns, in their order.
         */
        BoardView: {
            columns: components["schemas"]["ColumnView"][];
            /** Format: int64 */
            createdAt: number;
            description: string;
            id: string;
            name: string;
            /** Format: int64 */
            updatedAt: number;
            /** Format: int64 */
            version: number;
        };
        /** BoardViewAnswer */
        BoardViewAnswer: {
            data: components["schemas"]["BoardView"];
            meta: components["schemas"]["NoMeta"];
        };
        /** BoardViewPage */
        BoardViewPage: {
            data: components["schemas"]["BoardView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * CalendarBody
         * @description How the calendar shall look.
         */
        CalendarBody: {
            /** @description By default `true`. */
            titles?: boolean | null;
        };
        /**
         * CalendarView
         * @description The address, which is shown this once.
         */
        CalendarView: {
            titles: boolean;
            url: string;
        };
        /** CalendarViewAnswer */
        CalendarViewAnswer: {
            data: components["schemas"]["CalendarView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * CaptionsView
         * @description A video's captions in one language. `cues` is how many there are.
         */
        CaptionsView: {
            /** Format: int64 */
            cues: number;
            label: string;
            language: string;
            /** Format: int64 */
            updatedAt: number;
        };
        /** CaptionsViewAnswer */
        CaptionsViewAnswer: {
            data: components["schemas"]["CaptionsView"];
            meta: components["schemas"]["NoMeta"];
        };
        /** CaptionsViewListAnswer */
        CaptionsViewListAnswer: {
            data: components["schemas"]["CaptionsView"][];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * CdnView
         * @description How media is delivered and taken here.
         */
        CdnView: {
            baseUrl: string;
            lists: components["schemas"]["ListLimits"];
            signedUrls: components["schemas"]["SignedUrlLimits"];
            transformClasses: components["schemas"]["TransformClassView"][];
            tus: components["schemas"]["TusView"];
            uploads: components["schemas"]["UploadLimits"];
        };
        /** CdnViewAnswer */
        CdnViewAnswer: {
            data: components["schemas"]["CdnView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * ClientBody
         * @description What the tokens of a new client shall stand for.
         */
        ClientBody: {
            name?: string | null;
            namespace?: string | null;
            /** @description Whose tasks its tokens act on. */
            owner: string;
            scopes?: ("media:read" | "media:write" | "media:delete" | "tasks:read" | "tasks:write" | "tasks:delete" | "webhooks:manage" | "admin")[] | null;
        };
        /**
         * ClientView
         * @description A client, without its secret.
         */
        ClientView: {
            clientId: string;
            /** Format: int64 */
            createdAt: number;
            name: string;
            namespace: string | null;
            owner: string;
            scopes: string[];
        };
        /** ClientViewPage */
        ClientViewPage: {
            data: components["schemas"]["ClientView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * ClientWithSecret
         * @description A client with its secret, which is shown this once.
         */
        ClientWithSecret: {
            clientId: string;
            clientSecret: string;
            /** Format: int64 */
            createdAt: number;
            name: string;
            namespace: string | null;
            owner: string;
            scopes: string[];
        };
        /** ClientWithSecretAnswer */
        ClientWithSecretAnswer: {
            data: components["schemas"]["ClientWithSecret"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * ColumnBody
         * @description A new column, at the end if no position is given.
         */
        ColumnBody: {
            /** @description Trimmed; not empty. */
            name: string;
            position?: number | null;
            status: components["schemas"]["TaskStatus"];
        };
        /**
         * ColumnPatch
         * @description Changes to a column. Making it the entry or terminal column takes that from the present one.
         */
        ColumnPatch: {
            /**
             * @description true makes it that; give it to another column to end it.
             * @enum {boolean}
             */
            isEntry?: true;
            /**
             * @description true makes it that; give it to another column to end it.
             * @enum {boolean}
             */
            isTerminal?: true;
            /** @description Trimmed; not empty. */
            name?: string;
            /**
             * Format: int64
             * @description 0-based; past the end is the end.
             */
            position?: number;
        };
        /**
         * ColumnView
         * @description A column of a board. Tasks in it have its status.
         */
        ColumnView: {
            boardId: string;
            id: string;
            isEntry: boolean;
            isTerminal: boolean;
            name: string;
            /** Format: int64 */
            position: number;
            status: components["schemas"]["TaskStatus"];
        };
        /** ColumnViewAnswer */
        ColumnViewAnswer: {
            data: components["schemas"]["ColumnView"];
            meta: components["schemas"]["NoMeta"];
        };
        /** ColumnViewListAnswer */
        ColumnViewListAnswer: {
            data: components["schemas"]["ColumnView"][];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * CompleteOperation
         * @description Complete a task.
         */
        CompleteOperation: {
            id: string;
            ifMatch?: number | null;
            /** @enum {string} */
            op: "complete";
        };
        /**
         * CreateBody
         * @description A new task. Only the title is required; null is as if left out.
         *
         *         On a board it goes to the end of a column if no position is given: of the one that is named, else of its status.
         */
        CreateBody: {
            attachments?: string[] | null;
            boardId?: string | null;
            body?: string | null;
            columnId?: string | null;
            dueAt?: number | null;
            encryptedBody?: components["schemas"]["Envelope"] | null;
            idempotencyKey?: string | null;
            metadata?: {
                [key: string]: string;
            } | null;
            position?: number | null;
            priority?: number | null;
            /** @description By default `false`. */
            quick?: boolean | null;
            recurrence?: string | null;
            reminder?: number | null;
            status?: components["schemas"]["TaskStatus"] | null;
            tags?: string[] | null;
            timeZone?: string | null;
            /** @description Trimmed; not empty. */
            title: string;
            /** @description By default `server-readable`. */
            visibility?: components["schemas"]["TaskVisibility"] | null;
        };
        /**
         * CreateMeta
         * @description `meta` of a creation: whether the task was there already.
         */
        CreateMeta: {
            idempotentReplay?: boolean;
            /** @description Members of the request's body that this operation does not know. */
            ignored?: string[];
        };
        /**
         * CreateOperation
         * @description Create a task: the members of a creation.
         */
        CreateOperation: {
            attachments?: string[] | null;
            boardId?: string | null;
            body?: string | null;
            columnId?: string | null;
            dueAt?: number | null;
            encryptedBody?: components["schemas"]["Envelope"] | null;
            idempotencyKey?: string | null;
            metadata?: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            op: "create";
            position?: number | null;
            priority?: number | null;
            /** @description By default `false`. */
            quick?: boolean | null;
            recurrence?: string | null;
            reminder?: number | null;
            status?: components["schemas"]["TaskStatus"] | null;
            tags?: string[] | null;
            timeZone?: string | null;
            /** @description Trimmed; not empty. */
            title: string;
            /** @description By default `server-readable`. */
            visibility?: components["schemas"]["TaskVisibility"] | null;
        };
        /**
         * CreateVideoBody
         * @description A new video, whose bytes are yet to come.
         */
        CreateVideoBody: {
            metadata?: {
                [key: string]: string;
            } | null;
            mimeType?: string | null;
            size?: number | null;
            tags?: string[] | null;
            /** @description Trimmed; not empty. */
            title: string;
            /** @description By default `protected`. */
            visibility?: components["schemas"]["MediaVisibility"] | null;
        };
        /**
         * CreateWebhookBody
         * @description An address that shall be told of events.
         */
        CreateWebhookBody: {
            include?: components["schemas"]["Include"] | null;
            name?: string | null;
            /** @description Kinds of events; `task.*` is all that begin so, `*` all. */
            types: string[];
            /**
             * Format: uri
             * @description https, leading to a public address.
             */
            url: string;
        };
        /**
         * Deleted
         * @description The answer of every DELETE.
         */
        Deleted: {
            deleted: boolean;
            id: string;
        };
        /** DeletedAnswer */
        DeletedAnswer: {
            data: components["schemas"]["Deleted"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * DeliveryStatus
         * @enum {string}
         */
        DeliveryStatus: "delivered" | "failed" | "pending";
        /**
         * DeliveryView
         * @description An event on its way to a webhook. `nextAttemptAt` is null while an earlier one of its subject is before it.
         */
        DeliveryView: {
            /** Format: int64 */
            attempts: number;
            /** Format: int64 */
            createdAt: number;
            endedAt: number | null;
            eventId: string;
            nextAttemptAt: number | null;
            /** Format: int64 */
            sequence: number;
            status: components["schemas"]["DeliveryStatus"];
            subject: string;
            type: string;
        };
        /** DeliveryViewPage */
        DeliveryViewPage: {
            data: components["schemas"]["DeliveryView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * DeliveryWithAttempts
         * @description The same with its latest attempts, newest first.
         */
        DeliveryWithAttempts: {
            /** Format: int64 */
            attempts: number;
            /** Format: int64 */
            createdAt: number;
            endedAt: number | null;
            eventId: string;
            log: components["schemas"]["AttemptView"][];
            nextAttemptAt: number | null;
            /** Format: int64 */
            sequence: number;
            status: components["schemas"]["DeliveryStatus"];
            subject: string;
            type: string;
        };
        /** DeliveryWithAttemptsAnswer */
        DeliveryWithAttemptsAnswer: {
            data: components["schemas"]["DeliveryWithAttempts"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * DisabledReason
         * @enum {string}
         */
        DisabledReason: "failing" | "gone" | "owner";
        /**
         * Disposition
         * @enum {string}
         */
        Disposition: "attachment" | "inline";
        /**
         * Envelope
         * @description A body that its owner's client has sealed; docs/api/zero-knowledge.md says how.
         */
        Envelope: {
            algorithm: string;
            ciphertext: string;
            keyId: string;
            nonce: string;
            /** Format: int64 */
            version: number;
        };
        /** Error */
        Error: {
            error: {
                /** @description What went wrong, for programs: one of `x-error-codes`. */
                code: string;
                /** @description What went wrong and what helps, for people. Its wording may change. */
                message: string;
            };
        };
        /**
         * EventView
         * @description What happened to a subject. `sequence` grows from one event to the next; `data` is as its kind says.
         */
        EventView: {
            data: Record<string, never>;
            id: string;
            /** Format: int64 */
            sequence: number;
            /** @description The id of the task, board, asset or video. */
            subject: string;
            /**
             * Format: date-time
             * @description In UTC, ISO 8601.
             */
            timestamp: string;
            /** @enum {string} */
            type: "task.created" | "task.updated" | "task.moved" | "task.completed" | "task.archived" | "task.restored" | "task.deleted" | "task.reminder" | "board.created" | "board.updated" | "board.deleted" | "media.asset.created" | "media.asset.ready" | "media.asset.replaced" | "media.asset.failed" | "media.asset.updated" | "media.asset.deleted" | "media.asset.damaged" | "media.asset.repaired" | "media.video.created" | "media.video.uploaded" | "media.video.processing" | "media.video.ready" | "media.video.completed" | "media.video.failed" | "media.video.expired" | "media.video.updated" | "media.video.deleted" | "media.video.damaged" | "media.video.repaired" | "webhook.test" | "webhook.disabled";
        };
        /** EventViewPage */
        EventViewPage: {
            data: components["schemas"]["EventView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * FetchedKind
         * @enum {string}
         */
        FetchedKind: "file" | "image" | "video";
        /**
         * FetchError
         * @description Why there will be nothing.
         */
        FetchError: {
            code: string;
            message: string;
        };
        /**
         * Figures
         * @description How many, and how many bytes they have together.
         */
        Figures: {
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            count: number;
        };
        /**
         * FileUploadBody
         * @description A new file, with its bytes.
         */
        FileUploadBody: {
            alt?: string | null;
            /**
             * Format: byte
             * @description The bytes in base64 of the standard alphabet. A `data:` prefix and missing padding are forgiven. At most 10,485,760 characters.
             */
            data: string;
            /** @description Cleaned: no path, no control characters, none of the characters that Windows forbids, at most 255 bytes of UTF-8. Not blank. */
            filename: string;
            focalPoint?: components["schemas"]["FocalPoint"] | null;
            metadata?: {
                [key: string]: string;
            } | null;
            originalName?: string | null;
            tags?: string[] | null;
            title?: string | null;
            /** @description By default `public`. */
            visibility?: components["schemas"]["MediaVisibility"] | null;
        };
        /**
         * Fit
         * @enum {string}
         */
        Fit: "cover" | "inside" | "none";
        /**
         * FocalPoint
         * @description What must stay in the picture when it is cropped, as parts of its width and height.
         */
        FocalPoint: {
            x: number;
            y: number;
        };
        /**
         * FromUrlBody
         * @description Where the bytes are, and what shall become of them.
         */
        FromUrlBody: {
            filename?: string | null;
            kind?: components["schemas"]["FetchedKind"] | null;
            metadata?: {
                [key: string]: string;
            } | null;
            tags?: string[] | null;
            title?: string | null;
            /** @description https, at an address that the public can reach. */
            url: string;
            visibility?: components["schemas"]["MediaVisibility"] | null;
        };
        /**
         * HitView
         * @description What was found: its type, and under that name the thing itself.
         */
        HitView: {
            asset?: components["schemas"]["AssetView"];
            task?: components["schemas"]["TaskView"];
            type: components["schemas"]["Type"];
            video?: components["schemas"]["VideoView"];
        };
        /** HitViewPage */
        HitViewPage: {
            data: components["schemas"]["HitView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * IdentityView
         * @description What a provider calls its person: `subject`, by which it signs them in here.
         */
        IdentityView: {
            /** Format: int64 */
            createdAt: number;
            id: string;
            issuer: string;
            lastUsedAt: number | null;
            subject: string;
        };
        /** IdentityViewListAnswer */
        IdentityViewListAnswer: {
            data: components["schemas"]["IdentityView"][];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * IdsBody
         * @description Which assets.
         */
        IdsBody: {
            /** @description At most 100. */
            ids: string[];
        };
        /**
         * ImageUploadBody
         * @description A new image, with its bytes. null is as if left out.
         */
        ImageUploadBody: {
            alt?: string | null;
            /**
             * Format: byte
             * @description The bytes in base64 of the standard alphabet. A `data:` prefix and missing padding are forgiven. At most 10,485,760 characters.
             */
            data: string;
            /** @description Cleaned: no path, no control characters, none of the characters that Windows forbids, at most 255 bytes of UTF-8. Not blank. */
            filename: string;
            focalPoint?: components["schemas"]["FocalPoint"] | null;
            metadata?: {
                [key: string]: string;
            } | null;
            originalName?: string | null;
            /** @description By default `false`. */
            stripLocation?: boolean | null;
            tags?: string[] | null;
            title?: string | null;
            /** @description By default `public`. */
            visibility?: components["schemas"]["MediaVisibility"] | null;
        };
        /**
         * Include
         * @enum {string}
         */
        Include: "resource";
        /**
         * Index
         * @description Where everything about the API is described.
         */
        Index: {
            documents: components["schemas"]["Link"][];
            name: string;
            version: string;
        };
        /** IndexAnswer */
        IndexAnswer: {
            data: components["schemas"]["Index"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * IndexStatus
         * @enum {string}
         */
        IndexStatus: "active" | "backfilling" | "inactive";
        /**
         * InvitationBody
         * @description Who is invited, and as what.
         */
        InvitationBody: {
            email?: string | null;
            role?: components["schemas"]["Role"] | null;
            username?: string | null;
        };
        /**
         * InvitationView
         * @description An invitation that nobody has accepted yet.
         */
        InvitationView: {
            /** Format: int64 */
            createdAt: number;
            createdBy: string;
            email: string | null;
            /** Format: int64 */
            expiresAt: number;
            id: string;
            role: components["schemas"]["Role"];
            username: string | null;
        };
        /** InvitationViewPage */
        InvitationViewPage: {
            data: components["schemas"]["InvitationView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * InvitationWithLink
         * @description A new invitation with its link, which is shown this once.
         */
        InvitationWithLink: {
            /** Format: int64 */
            createdAt: number;
            createdBy: string;
            email: string | null;
            /** Format: int64 */
            expiresAt: number;
            id: string;
            link: string;
            role: components["schemas"]["Role"];
            username: string | null;
        };
        /** InvitationWithLinkAnswer */
        InvitationWithLinkAnswer: {
            data: components["schemas"]["InvitationWithLink"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * JobCount
         * @description How many jobs of one kind are in one state.
         */
        JobCount: {
            kind: string;
            /** Format: int64 */
            number: number;
            /**
             * Format: int64
             * @description How long the one that is due for longest has been.
             */
            oldestMs: number;
            state: components["schemas"]["JobState"];
        };
        /**
         * JobState
         * @enum {string}
         */
        JobState: "dead" | "retried" | "running" | "waiting";
        /**
         * JobView
         * @description A job.
         */
        JobView: {
            /** Format: int64 */
            attempts: number;
            /**
             * Format: int64
             * @description When it is due; of one that runs the end of its lease; when it died.
             */
            dueAt: number;
            error: string | null;
            id: string;
            kind: string;
            state: components["schemas"]["JobState"];
        };
        /**
         * KeyFile
         * @description A vault key that a passphrase wraps; docs/api/zero-knowledge.md says how. The server checks its form alone.
         */
        KeyFile: {
            algorithm: string;
            ciphertext: string;
            /** Format: int64 */
            iterations: number;
            kdf: string;
            keyId: string;
            nonce: string;
            salt: string;
            /** Format: int64 */
            version: number;
        };
        /**
         * Link
         * @description A document that describes the API or a part of it.
         */
        Link: {
            href: string;
            /** @description Whether it is read without a token. */
            public: boolean;
            rel: string;
            title: string;
            type: string;
        };
        /**
         * LinkView
         * @description A link that works once, to be handed over; it is shown this once.
         */
        LinkView: {
            /** Format: int64 */
            expiresAt: number;
            link: string;
        };
        /** LinkViewAnswer */
        LinkViewAnswer: {
            data: components["schemas"]["LinkView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * ListLimits
         * @description How many a page has by default and at most, how many ids a request takes, and how many tags a thing may have.
         */
        ListLimits: {
            /** Format: int64 */
            ids: number;
            /** Format: int64 */
            largestPage: number;
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            tags: number;
        };
        /**
         * Location
         * @description Where a picture was taken, in degrees: north and east are positive.
         */
        Location: {
            latitude: number;
            longitude: number;
        };
        /**
         * MeBody
         * @description What to change about oneself; what is left out stays.
         */
        MeBody: {
            displayName?: string | null;
            email?: string | null;
            /** @description Whether reminders are mailed; needs an address. */
            remindByMail?: boolean;
            /** @description Whether a password alone signs nobody in; needs a fresh proof. */
            twoFactor?: boolean;
        };
        /**
         * MediaKind
         * @enum {string}
         */
        MediaKind: "file" | "image";
        /**
         * MediaPatchBody
         * @description Changes to an asset. What is omitted keeps its value; null clears what can be empty.
         */
        MediaPatchBody: {
            alt?: string | null;
            /** @description Cleaned: no path, no control characters, none of the characters that Windows forbids, at most 255 bytes of UTF-8. Not blank. */
            filename?: string;
            focalPoint?: components["schemas"]["FocalPoint"] | null;
            metadata?: {
                [key: string]: string;
            } | null;
            tags?: string[] | null;
            title?: string | null;
            visibility?: components["schemas"]["MediaVisibility"];
        };
        /**
         * MediaSort
         * @enum {string}
         */
        MediaSort: "-createdAt" | "-size" | "-takenAt" | "-updatedAt" | "createdAt" | "filename" | "size" | "takenAt" | "updatedAt";
        /**
         * MediaStats
         * @description How much there is of everything.
         */
        MediaStats: {
            assets: components["schemas"]["AssetStats"];
            storage: components["schemas"]["StorageStats"];
            uploads: components["schemas"]["UploadStats"];
            videos: components["schemas"]["VideoStats"];
        };
        /** MediaStatsAnswer */
        MediaStatsAnswer: {
            data: components["schemas"]["MediaStats"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * MediaStatus
         * @description `processingStatus`.
         * @enum {string}
         */
        MediaStatus: "failed" | "pending" | "processing" | "ready";
        /**
         * MediaTagView
         * @description A tag, and how many assets have it.
         */
        MediaTagView: {
            /** Format: int64 */
            count: number;
            tag: string;
        };
        /** MediaTagViewPage */
        MediaTagViewPage: {
            data: components["schemas"]["MediaTagView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * MediaVisibility
         * @enum {string}
         */
        MediaVisibility: "protected" | "public";
        /**
         * MissingMeta
         * @description `meta` of a look-up by ids: those that no asset has.
         */
        MissingMeta: {
            /** @description Members of the request's body that this operation does not know. */
            ignored?: string[];
            missing: string[];
        };
        /**
         * MoveBody
         * @description Where a task shall be. Without an order it goes to the end of another column, and stays in its own place.
         */
        MoveBody: {
            afterTaskId?: string | null;
            beforeTaskId?: string | null;
            board?: string | null;
            boardId?: string | null;
            columnId?: string | null;
            position?: number | null;
            status: components["schemas"]["TaskStatus"];
        };
        /**
         * MoveOperation
         * @description Move a task: the members of a move.
         */
        MoveOperation: {
            afterTaskId?: string | null;
            beforeTaskId?: string | null;
            board?: string | null;
            boardId?: string | null;
            columnId?: string | null;
            id: string;
            ifMatch?: number | null;
            /** @enum {string} */
            op: "move";
            position?: number | null;
            status: components["schemas"]["TaskStatus"];
        };
        /**
         * MyApplicationView
         * @description An application that one has let in.
         */
        MyApplicationView: {
            clientId: string;
            /** Format: int64 */
            createdAt: number;
            id: string;
            /** Format: int64 */
            lastUsedAt: number;
            name: string;
            resource: string;
            scopes: string[];
        };
        /** MyApplicationViewPage */
        MyApplicationViewPage: {
            data: components["schemas"]["MyApplicationView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * MyTokenBody
         * @description What a token of one's own shall be allowed.
         */
        MyTokenBody: {
            expiresIn?: number | null;
            /** @description A note to recognise it by. */
            name: string;
            scopes?: ("media:read" | "media:write" | "media:delete" | "tasks:read" | "tasks:write" | "tasks:delete" | "webhooks:manage" | "admin")[] | null;
        };
        /**
         * NamespacesBody
         * @description The whole binding: it replaces the one before.
         */
        NamespacesBody: {
            /** @description null: any token that reads; a list: tokens of these; an empty one: admins alone. */
            allowedNamespaces: string[] | null;
        };
        /**
         * NoMeta
         * @description `meta` of an answer that has nothing to add, unless some of the body was ignored.
         */
        NoMeta: {
            /** @description Members of the request's body that this operation does not know. */
            ignored?: string[];
        };
        /**
         * OccurrenceView
         * @description A completed occurrence of a recurring task.
         */
        OccurrenceView: {
            /** Format: int64 */
            completedAt: number;
            dueAt: number | null;
            /** Format: int64 */
            number: number;
        };
        /** OccurrenceViewPage */
        OccurrenceViewPage: {
            data: components["schemas"]["OccurrenceView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * Origin
         * @enum {string}
         */
        Origin: "admin" | "built-in" | "document" | "itself";
        /**
         * PageMeta
         * @description `meta` of a list: follow nextCursor while hasMore is true.
         */
        PageMeta: {
            hasMore: boolean;
            /** Format: int64 */
            limit: number;
            nextCursor: string | null;
        };
        /**
         * ParseBody
         * @description A line to read.
         */
        ParseBody: {
            /** @description Trimmed; not empty. */
            text: string;
            timeZone?: string | null;
        };
        /**
         * ParsedView
         * @description What was understood, in the order of the text, and the task that it would make.
         */
        ParsedView: {
            spans: components["schemas"]["SpanView"][];
            task: components["schemas"]["QuickTask"];
        };
        /** ParsedViewAnswer */
        ParsedViewAnswer: {
            data: components["schemas"]["ParsedView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * PasskeyBody
         * @description A passkey that a browser has made.
         */
        PasskeyBody: {
            /** @description What `navigator.credentials.create` gave, by its `toJSON()`. */
            credential: Record<string, never>;
            /** @description A note to recognise it by. */
            name: string;
        };
        /**
         * PasskeyNameBody
         * @description A passkey's new name.
         */
        PasskeyNameBody: {
            /** @description A note to recognise it by. */
            name: string;
        };
        /**
         * PasskeyOptions
         * @description What the browser needs in order to make a passkey, for five minutes and once.
         */
        PasskeyOptions: {
            /** @description For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
            publicKey: Record<string, never>;
        };
        /** PasskeyOptionsAnswer */
        PasskeyOptionsAnswer: {
            data: components["schemas"]["PasskeyOptions"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * PasskeyView
         * @description A passkey; `host` is the one that it was made for, and it works under no other.
         */
        PasskeyView: {
            /** Format: int64 */
            createdAt: number;
            host: string;
            id: string;
            lastUsedAt: number | null;
            name: string;
        };
        /** PasskeyViewAnswer */
        PasskeyViewAnswer: {
            data: components["schemas"]["PasskeyView"];
            meta: components["schemas"]["NoMeta"];
        };
        /** PasskeyViewListAnswer */
        PasskeyViewListAnswer: {
            data: components["schemas"]["PasskeyView"][];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * PasswordBody
         * @description A new password.
         */
        PasswordBody: {
            /** @description 12 to 256 characters, and none of the common ones. */
            password: string;
        };
        /**
         * PasswordView
         * @description That the password was changed; every other session has ended.
         */
        PasswordView: {
            changed: boolean;
        };
        /** PasswordViewAnswer */
        PasswordViewAnswer: {
            data: components["schemas"]["PasswordView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * PatchVideoBody
         * @description Changes to a video. What is omitted keeps its value.
         */
        PatchVideoBody: {
            metadata?: {
                [key: string]: string;
            } | null;
            tags?: string[] | null;
            /** @description Trimmed; not empty. */
            title?: string;
            visibility?: components["schemas"]["MediaVisibility"];
        };
        /**
         * Placeholder
         * @description What to show before the image is there. `thumbhash` is base64.
         */
        Placeholder: {
            dominantColor: string;
            thumbhash: string;
        };
        /**
         * Placement
         * @description A task's place. `position` is 0-based among the tasks of the column that are not archived.
         */
        Placement: {
            boardId: string;
            columnId: string;
            /** Format: int64 */
            position: number;
            rank: string;
            taskId: string;
        };
        /** PlacementPage */
        PlacementPage: {
            data: components["schemas"]["Placement"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * PlacementView
         * @description Where on a board a task is. `position` is given where one task is answered.
         */
        PlacementView: {
            boardId: string;
            columnId: string;
            /** Format: int64 */
            position?: number;
            rank: string;
        };
        /**
         * PosterBody
         * @description What shall be the poster: one of the two.
         */
        PosterBody: {
            assetId?: string | null;
            time?: number | null;
        };
        /**
         * Presigned
         * @description Where the bytes of an asset go. The addresses are secrets: who has one may send the bytes.
         */
        Presigned: {
            /** Format: int64 */
            expiresAt: number;
            headers: {
                [key: string]: string;
            };
            id: string;
            method: string;
            tusUploadUrl: string;
            uploadUrl: string;
        };
        /** PresignedAnswer */
        PresignedAnswer: {
            data: components["schemas"]["Presigned"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * PresignedBody
         * @description What will be uploaded: a new asset, or with assetId other bytes for one that exists.
         */
        PresignedBody: {
            assetId?: string | null;
            checksum?: string | null;
            /** @description By default `3600`. */
            expiresIn?: number | null;
            /** @description Cleaned: no path, no control characters, none of the characters that Windows forbids, at most 255 bytes of UTF-8. Not blank. */
            filename: string;
            kind?: components["schemas"]["MediaKind"] | null;
            metadata?: {
                [key: string]: string;
            } | null;
            mimeType?: string | null;
            /**
             * Format: int64
             * @description In bytes. Exactly so many must be sent.
             */
            size: number;
            /** @description By default `false`. */
            stripLocation?: boolean | null;
            tags?: string[] | null;
            visibility?: components["schemas"]["MediaVisibility"] | null;
        };
        /**
         * ProcessingError
         * @description Why the bytes could not be used; the version before, if there is one, is still served. Of a `ready` asset
         *         `content_damaged`: its bytes were damaged in the store, and are refused; or `preview_failed`: it is served, but
         *         has no pages, length or thumbnail.
         */
        ProcessingError: {
            code: string;
            message: string;
        };
        /**
         * ProcessingView
         * @description How far the work is, in percent.
         */
        ProcessingView: {
            /** Format: int64 */
            progress: number;
        };
        /**
         * ProgressStatus
         * @enum {string}
         */
        ProgressStatus: "done" | "failed" | "running";
        /**
         * PutCaptionsBody
         * @description Captions in one language.
         */
        PutCaptionsBody: {
            label?: string | null;
            language: string;
            /** @description The content of a WebVTT or SRT file. */
            text: string;
        };
        /**
         * QueueView
         * @description Background work. Jobs for a later hour, such as reminders, are left out.
         */
        QueueView: {
            counts: components["schemas"]["JobCount"][];
            /** @description At most 100: those that were given up come first. */
            jobs: components["schemas"]["JobView"][];
        };
        /** QueueViewAnswer */
        QueueViewAnswer: {
            data: components["schemas"]["QueueView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * QuickTask
         * @description The body of the creation that the line stands for.
         */
        QuickTask: {
            boardId: string | null;
            columnId: string | null;
            dueAt: number | null;
            /** Format: int64 */
            priority: number;
            recurrence: string | null;
            reminder: number | null;
            status: components["schemas"]["TaskStatus"];
            tags: string[];
            timeZone: string;
            title: string;
        };
        /**
         * RecoveryCodes
         * @description Fresh codes; each stands in for a passkey once.
         */
        RecoveryCodes: {
            /** @description Shown this once. */
            codes: string[];
        };
        /** RecoveryCodesAnswer */
        RecoveryCodesAnswer: {
            data: components["schemas"]["RecoveryCodes"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * RecoveryCodesLeft
         * @description How many codes are left.
         */
        RecoveryCodesLeft: {
            /** Format: int64 */
            left: number;
        };
        /** RecoveryCodesLeftAnswer */
        RecoveryCodesLeftAnswer: {
            data: components["schemas"]["RecoveryCodesLeft"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * Refused
         * @description An asset of which no URL was signed, and why not.
         */
        Refused: {
            code: string;
            id: string;
            message: string;
        };
        /**
         * RenameTagBody
         * @description Which tag, and what it shall be called; what has both keeps one of them.
         */
        RenameTagBody: {
            from: string;
            to: string;
        };
        /**
         * RenameTagView
         * @description How many of how many have the new tag. `id` is null if it was done within the request.
         */
        RenameTagView: {
            /** Format: int64 */
            done: number;
            id: string | null;
            status: components["schemas"]["ProgressStatus"];
            /** Format: int64 */
            total: number;
        };
        /** RenameTagViewAnswer */
        RenameTagViewAnswer: {
            data: components["schemas"]["RenameTagView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * RenditionView
         * @description A size that can be played. That of the sound alone is called `audio`, and has no width and height.
         */
        RenditionView: {
            /** Format: int64 */
            bandwidth: number;
            height: number | null;
            name: string;
            width: number | null;
        };
        /**
         * ReplaceBody
         * @description Other bytes for an asset, of an image or a file alike.
         */
        ReplaceBody: {
            /**
             * Format: byte
             * @description The bytes in base64 of the standard alphabet. A `data:` prefix and missing padding are forgiven. At most 10,485,760 characters.
             */
            imageData: string;
            /** @description Such as `image/png`. The bytes have the last word where they carry a signature. */
            mimeType: string;
            /** @description Cleaned: no path, no control characters, none of the characters that Windows forbids, at most 255 bytes of UTF-8. Not blank. */
            originalName: string;
            /**
             * Format: int64
             * @description Of the bytes, decoded.
             */
            size: number;
        };
        /**
         * Replacement
         * @description Bytes on their way. `version` is the one that they will be.
         */
        Replacement: {
            assetId: string;
            processingStatus: components["schemas"]["MediaStatus"];
            /** Format: int64 */
            version: number;
        };
        /** ReplacementAnswer */
        ReplacementAnswer: {
            data: components["schemas"]["Replacement"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * ReplayBody
         * @description What shall be sent again: all that failed, or all since a time.
         */
        ReplayBody: {
            /** @description By default `false`. */
            failed?: boolean | null;
            since?: number | null;
        };
        /**
         * ReplayView
         * @description How many were ordered. `since` is where to go on, null if these were all.
         */
        ReplayView: {
            /** Format: int64 */
            replayed: number;
            since: number | null;
        };
        /** ReplayViewAnswer */
        ReplayViewAnswer: {
            data: components["schemas"]["ReplayView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * Resolution
         * @description A public asset's address. `mimeType` is what a client gets that takes neither AVIF nor WebP.
         */
        Resolution: {
            assetId: string;
            height: number | null;
            mimeType: string;
            transformClass: string;
            url: string;
            /** Format: int64 */
            version: number;
            width: number | null;
        };
        /** ResolutionAnswer */
        ResolutionAnswer: {
            data: components["schemas"]["Resolution"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * RetriedJob
         * @description A job that has fresh attempts.
         */
        RetriedJob: {
            id: string;
            retried: boolean;
        };
        /** RetriedJobAnswer */
        RetriedJobAnswer: {
            data: components["schemas"]["RetriedJob"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * Role
         * @enum {string}
         */
        Role: "admin" | "member";
        /**
         * SearchSort
         * @enum {string}
         */
        SearchSort: "-createdAt" | "relevance";
        /**
         * SentTest
         * @description The event that was sent for a test; its delivery is found by this id.
         */
        SentTest: {
            eventId: string;
        };
        /** SentTestAnswer */
        SentTestAnswer: {
            data: components["schemas"]["SentTest"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * SessionView
         * @description A browser in which the person is signed in.
         */
        SessionView: {
            address: string;
            /** Format: int64 */
            createdAt: number;
            current: boolean;
            /** Format: int64 */
            expiresAt: number;
            id: string;
            /** Format: int64 */
            lastSeenAt: number;
            method: string;
            userAgent: string;
        };
        /** SessionViewListAnswer */
        SessionViewListAnswer: {
            data: components["schemas"]["SessionView"][];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * SignedUrl
         * @description An address that needs no token, until it expires.
         */
        SignedUrl: {
            assetId: string;
            /** Format: int64 */
            expiresAt: number;
            url: string;
            /** Format: int64 */
            version: number;
        };
        /** SignedUrlAnswer */
        SignedUrlAnswer: {
            data: components["schemas"]["SignedUrl"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * SignedUrlBody
         * @description How long the URL shall work.
         */
        SignedUrlBody: {
            /** @description By default `3600`. */
            expiresIn?: number | null;
        };
        /**
         * SignedUrlLimits
         * @description How long signed URLs may live.
         */
        SignedUrlLimits: {
            /** Format: int64 */
            defaultSeconds: number;
            /** Format: int64 */
            longestSeconds: number;
            /** Format: int64 */
            shortestSeconds: number;
        };
        /** SignedUrlListUrlsAnswer */
        SignedUrlListUrlsAnswer: {
            data: components["schemas"]["SignedUrl"][];
            meta: components["schemas"]["UrlsMeta"];
        };
        /**
         * SignedUrlView
         * @description Addresses that play a video until they expire. `url` is HLS once there is one, else the file as it came.
         */
        SignedUrlView: {
            downloadUrl: string | null;
            /** Format: int64 */
            expiresAt: number;
            hlsUrl: string | null;
            mp4Url: string | null;
            posterUrl: string | null;
            providerVideoId: string;
            status: components["schemas"]["VideoStatus"];
            storyboardUrl: string | null;
            url: string;
        };
        /** SignedUrlViewAnswer */
        SignedUrlViewAnswer: {
            data: components["schemas"]["SignedUrlView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * SpanView
         * @description A part of the text that was understood, by the positions of its first character and of the one behind it.
         */
        SpanView: {
            /** Format: int64 */
            end: number;
            kind: components["schemas"]["TaskKind"];
            /**
             * Format: int64
             * @description In characters of Unicode, from 0.
             */
            start: number;
            value: string;
        };
        /**
         * StorageStats
         * @description Of the installation, and of the token's owner. `free` is what the disk still takes; null where it has no end.
         */
        StorageStats: {
            /** Format: int64 */
            bytes: number;
            free: number | null;
            limit: number | null;
            owner: components["schemas"]["Usage"];
        };
        /**
         * TagAction
         * @enum {string}
         */
        TagAction: "add" | "remove";
        /**
         * TaggedView
         * @description How many assets the action was applied to, and the ids that no asset has.
         */
        TaggedView: {
            missing: string[];
            /** Format: int64 */
            updated: number;
        };
        /** TaggedViewAnswer */
        TaggedViewAnswer: {
            data: components["schemas"]["TaggedView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * TagView
         * @description A tag, and how many tasks have it that are not archived.
         */
        TagView: {
            /** Format: int64 */
            count: number;
            tag: string;
        };
        /** TagViewPage */
        TagViewPage: {
            data: components["schemas"]["TagView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * TaskChanged
         * @description `changed` names the members that are different now.
         */
        TaskChanged: {
            changed: string[];
            taskId: string;
            /** Format: int64 */
            version: number;
        };
        /** TaskCreated */
        TaskCreated: {
            taskId: string;
            /** Format: int64 */
            version: number;
        };
        /** TaskDeleted */
        TaskDeleted: {
            taskId: string;
        };
        /**
         * TaskKind
         * @enum {string}
         */
        TaskKind: "board" | "date" | "moment" | "priority" | "reminder" | "repeat" | "tag" | "time" | "until";
        /**
         * TaskPatchBody
         * @description Changes to a task. What is omitted keeps its value; null clears what can be empty.
         */
        TaskPatchBody: {
            /** @description true archives, false restores. */
            archived?: boolean;
            attachments?: string[] | null;
            body?: string | null;
            /** @description By default `false`. */
            clearDueAt?: boolean;
            /** @description By default `false`. */
            clearReminder?: boolean;
            dueAt?: number | null;
            encryptedBody?: components["schemas"]["Envelope"] | null;
            metadata?: {
                [key: string]: string;
            } | null;
            priority?: number | null;
            recurrence?: string | null;
            reminder?: number | null;
            status?: components["schemas"]["TaskStatus"];
            tags?: string[] | null;
            timeZone?: string | null;
            /** @description Trimmed; not empty. */
            title?: string;
            visibility?: components["schemas"]["TaskVisibility"];
        };
        /**
         * TaskReminder
         * @description The reminder's time, and when the task is due.
         */
        TaskReminder: {
            dueAt: number | null;
            /** Format: int64 */
            reminder: number;
            taskId: string;
        };
        /**
         * TaskSort
         * @enum {string}
         */
        TaskSort: "-createdAt" | "-updatedAt" | "board" | "createdAt" | "dueAt" | "updatedAt";
        /**
         * TaskStatus
         * @enum {string}
         */
        TaskStatus: "done" | "in_progress" | "todo";
        /**
         * TaskView
         * @description A task.
         */
        TaskView: {
            archived: boolean;
            attachments: components["schemas"]["Attachment"][];
            body: string | null;
            completedAt: number | null;
            /** Format: int64 */
            createdAt: number;
            dueAt: number | null;
            encryptedBody?: components["schemas"]["Envelope"] | null;
            hasBody: boolean;
            id: string;
            idempotencyKey: string | null;
            metadata: {
                [key: string]: string;
            };
            placement: components["schemas"]["PlacementView"] | null;
            /** Format: int64 */
            priority: number;
            recurrence: string | null;
            reminder: number | null;
            status: components["schemas"]["TaskStatus"];
            tags: string[];
            timeZone: string;
            title: string;
            /** Format: int64 */
            updatedAt: number;
            /** Format: int64 */
            version: number;
            visibility: components["schemas"]["TaskVisibility"];
        };
        /** TaskViewAnswer */
        TaskViewAnswer: {
            data: components["schemas"]["TaskView"];
            meta: components["schemas"]["NoMeta"];
        };
        /** TaskViewCreateAnswer */
        TaskViewCreateAnswer: {
            data: components["schemas"]["TaskView"];
            meta: components["schemas"]["CreateMeta"];
        };
        /** TaskViewPage */
        TaskViewPage: {
            data: components["schemas"]["TaskView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * TaskVisibility
         * @enum {string}
         */
        TaskVisibility: "server-readable" | "zero-knowledge";
        /**
         * TokenBody
         * @description What a new token shall stand for.
         */
        TokenBody: {
            /** @description By default `false`. */
            admin?: boolean | null;
            expiresIn?: number | null;
            kind?: components["schemas"]["TokenKind"] | null;
            name?: string | null;
            namespace?: string | null;
            /** @description Whose tasks it acts on. */
            owner: string;
            scopes?: ("media:read" | "media:write" | "media:delete" | "tasks:read" | "tasks:write" | "tasks:delete" | "webhooks:manage" | "admin")[] | null;
        };
        /**
         * TokenKind
         * @enum {string}
         */
        TokenKind: "automation" | "interactive";
        /**
         * TokenView
         * @description A token, without its secret.
         */
        TokenView: {
            admin: boolean;
            /** Format: int64 */
            createdAt: number;
            expiresAt: number | null;
            id: string;
            kind: components["schemas"]["TokenKind"];
            lastUsedAt: number | null;
            name: string;
            namespace: string | null;
            owner: string;
            revokedAt: number | null;
            scopes: string[];
        };
        /** TokenViewAnswer */
        TokenViewAnswer: {
            data: components["schemas"]["TokenView"];
            meta: components["schemas"]["NoMeta"];
        };
        /** TokenViewPage */
        TokenViewPage: {
            data: components["schemas"]["TokenView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * TokenWithSecret
         * @description A token with its secret, which is shown this once.
         */
        TokenWithSecret: {
            admin: boolean;
            /** Format: int64 */
            createdAt: number;
            expiresAt: number | null;
            id: string;
            kind: components["schemas"]["TokenKind"];
            lastUsedAt: number | null;
            name: string;
            namespace: string | null;
            owner: string;
            revokedAt: number | null;
            scopes: string[];
            token: string;
        };
        /** TokenWithSecretAnswer */
        TokenWithSecretAnswer: {
            data: components["schemas"]["TokenWithSecret"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * TransformClassView
         * @description What an image can be made into. Never enlarged; a height of null follows from the width.
         */
        TransformClassView: {
            fit: components["schemas"]["Fit"];
            height: number | null;
            name: string;
            width: number | null;
        };
        /** TransformClassViewListAnswer */
        TransformClassViewListAnswer: {
            data: components["schemas"]["TransformClassView"][];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * TusView
         * @description What of the TUS protocol is spoken here.
         */
        TusView: {
            checksumAlgorithms: string[];
            extensions: string[];
            version: string;
        };
        /**
         * Type
         * @enum {string}
         */
        Type: "asset" | "task" | "video";
        /**
         * UpcomingView
         * @description A date on which a recurring task will be due.
         */
        UpcomingView: {
            /** Format: int64 */
            dueAt: number;
        };
        /** UpcomingViewListAnswer */
        UpcomingViewListAnswer: {
            data: components["schemas"]["UpcomingView"][];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * UpdateOperation
         * @description Change a task: the members of a change.
         */
        UpdateOperation: {
            /** @description true archives, false restores. */
            archived?: boolean;
            attachments?: string[] | null;
            body?: string | null;
            /** @description By default `false`. */
            clearDueAt?: boolean;
            /** @description By default `false`. */
            clearReminder?: boolean;
            dueAt?: number | null;
            encryptedBody?: components["schemas"]["Envelope"] | null;
            id: string;
            ifMatch?: number | null;
            metadata?: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            op: "update";
            priority?: number | null;
            recurrence?: string | null;
            reminder?: number | null;
            status?: components["schemas"]["TaskStatus"];
            tags?: string[] | null;
            timeZone?: string | null;
            /** @description Trimmed; not empty. */
            title?: string;
            visibility?: components["schemas"]["TaskVisibility"];
        };
        /**
         * UploadLimits
         * @description Bytes of one file, by the way that it comes: inside of a request, by an address of its own, as a video.
         */
        UploadLimits: {
            /** Format: int64 */
            inline: number;
            /** Format: int64 */
            presigned: number;
            /** Format: int64 */
            video: number;
        };
        /**
         * UploadStats
         * @description Uploads that are open, counted up to 10,000.
         */
        UploadStats: {
            /** Format: int64 */
            active: number;
        };
        /**
         * UploadView
         * @description How many bytes have arrived, of how many; the length is null while nobody has said it.
         */
        UploadView: {
            length: number | null;
            /** Format: int64 */
            offset: number;
        };
        /**
         * UrlBody
         * @description What the signed URL is for. All of it may be left out, the body too.
         */
        UrlBody: {
            disposition?: components["schemas"]["Disposition"] | null;
            /** @description By default `3600`. */
            expiresIn?: number | null;
            /** @description By default `original`. */
            transformClass?: string | null;
        };
        /**
         * UrlsBody
         * @description Of which assets, and what the signed URLs are for.
         */
        UrlsBody: {
            disposition?: components["schemas"]["Disposition"] | null;
            /** @description By default `3600`. */
            expiresIn?: number | null;
            /** @description At most 100. */
            ids: string[];
            /** @description By default `original`. */
            transformClass?: string | null;
        };
        /**
         * UrlsMeta
         * @description `meta` of many signed URLs: ids that no asset has, and assets that gave none.
         */
        UrlsMeta: {
            /** @description Members of the request's body that this operation does not know. */
            ignored?: string[];
            missing: string[];
            refused: components["schemas"]["Refused"][];
        };
        /**
         * UrlUploadView
         * @description An upload by URL. `status` is that of the asset (`processingStatus`) or of the video.
         */
        UrlUploadView: {
            /** Format: int64 */
            createdAt: number;
            error: components["schemas"]["FetchError"] | null;
            id: string;
            kind: components["schemas"]["FetchedKind"];
            length: number | null;
            /** Format: int64 */
            received: number;
            status: string;
            /** Format: int64 */
            updatedAt: number;
        };
        /** UrlUploadViewAnswer */
        UrlUploadViewAnswer: {
            data: components["schemas"]["UrlUploadView"];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * Usage
         * @description Bytes of assets and videos, and how many there may be; null is no limit.
         */
        Usage: {
            /** Format: int64 */
            bytes: number;
            limit: number | null;
        };
        /**
         * UseView
         * @description A task that has the asset attached.
         */
        UseView: {
            archived: boolean;
            status: string;
            taskId: string;
            title: string;
        };
        /** UseViewPage */
        UseViewPage: {
            data: components["schemas"]["UseView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * VaultKey
         * @description A key file, and since when it is kept.
         */
        VaultKey: {
            /** Format: int64 */
            createdAt: number;
            keyFile: components["schemas"]["KeyFile"];
            /** Format: int64 */
            updatedAt: number;
        };
        /** VaultKeyAnswer */
        VaultKeyAnswer: {
            data: components["schemas"]["VaultKey"];
            meta: components["schemas"]["NoMeta"];
        };
        /** VaultKeyListAnswer */
        VaultKeyListAnswer: {
            data: components["schemas"]["VaultKey"][];
            meta: components["schemas"]["NoMeta"];
        };
        /**
         * VideoError
         * @description Why the video cannot be played.
         *
         *         Of a `ready` one, why it lacks some of its sizes; or `content_damaged`: the message says which files are refused.
         */
        VideoError: {
            code: string;
            message: string;
        };
        /**
         * VideoFailed
         * @description `errorCode` is that of the video's error.
         */
        VideoFailed: {
            errorCode: string | null;
            providerVideoId: string;
            status: string;
            videoId: string;
        };
        /**
         * VideoStats
         * @description Videos, and the bytes of their sources.
         */
        VideoStats: {
            byStatus: {
                [key: string]: components["schemas"]["Figures"];
            };
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            count: number;
        };
        /**
         * VideoStatus
         * @enum {string}
         */
        VideoStatus: "awaiting_upload" | "expired" | "failed" | "processing" | "ready" | "uploading";
        /** VideoTold */
        VideoTold: {
            providerVideoId: string;
            status: string;
            videoId: string;
        };
        /**
         * VideoUpdated
         * @description `changed` names the members that are different now.
         */
        VideoUpdated: {
            changed: string[];
            providerVideoId: string;
            status: string;
            videoId: string;
        };
        /**
         * VideoView
         * @description A video.
         */
        VideoView: {
            captions: string[];
            /** Format: int64 */
            createdAt: number;
            createdBy: string;
            duration: number | null;
            error: components["schemas"]["VideoError"] | null;
            finalizedAt: number | null;
            height: number | null;
            id: string;
            metadata: {
                [key: string]: string;
            };
            mimeType: string | null;
            posterUrl: string | null;
            processing: components["schemas"]["ProcessingView"] | null;
            providerVideoId: string;
            renditions: components["schemas"]["RenditionView"][];
            size: number | null;
            status: components["schemas"]["VideoStatus"];
            tags: string[];
            title: string;
            tusUploadUrl?: string;
            /** Format: int64 */
            updatedAt: number;
            upload: components["schemas"]["UploadView"];
            visibility: components["schemas"]["MediaVisibility"];
            width: number | null;
        };
        /** VideoViewAnswer */
        VideoViewAnswer: {
            data: components["schemas"]["VideoView"];
            meta: components["schemas"]["NoMeta"];
        };
        /** VideoViewPage */
        VideoViewPage: {
            data: components["schemas"]["VideoView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * WebhookDisabled
         * @description `reason` is `gone` after an answer of 410, or `failing` after days without one success.
         */
        WebhookDisabled: {
            reason: string;
            webhookId: string;
        };
        /**
         * WebhookPatch
         * @description Changes to a webhook. What is omitted keeps its value; null clears `name` and `include`.
         */
        WebhookPatch: {
            /** @description true also begins anew with one that was disabled. */
            enabled?: boolean;
            include?: components["schemas"]["Include"] | null;
            name?: string | null;
            /** @description Kinds of events; `task.*` is all that begin so, `*` all. */
            types?: string[];
            /**
             * Format: uri
             * @description https, leading to a public address.
             */
            url?: string;
        };
        /** WebhookTest */
        WebhookTest: {
            webhookId: string;
        };
        /**
         * WebhookView
         * @description A webhook, without its secret.
         */
        WebhookView: {
            /** Format: int64 */
            createdAt: number;
            disabledReason: components["schemas"]["DisabledReason"] | null;
            enabled: boolean;
            failingSince: number | null;
            id: string;
            include: components["schemas"]["Include"] | null;
            name: string;
            oldSecretUntil: number | null;
            types: string[];
            /** Format: int64 */
            updatedAt: number;
            url: string;
        };
        /** WebhookViewAnswer */
        WebhookViewAnswer: {
            data: components["schemas"]["WebhookView"];
            meta: components["schemas"]["NoMeta"];
        };
        /** WebhookViewPage */
        WebhookViewPage: {
            data: components["schemas"]["WebhookView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /**
         * WebhookWithSecret
         * @description A webhook with its secret, which is shown this once.
         */
        WebhookWithSecret: {
            /** Format: int64 */
            createdAt: number;
            disabledReason: components["schemas"]["DisabledReason"] | null;
            enabled: boolean;
            failingSince: number | null;
            id: string;
            include: components["schemas"]["Include"] | null;
            name: string;
            oldSecretUntil: number | null;
            secret: string;
            types: string[];
            /** Format: int64 */
            updatedAt: number;
            url: string;
        };
        /** WebhookWithSecretAnswer */
        WebhookWithSecretAnswer: {
            data: components["schemas"]["WebhookWithSecret"];
            meta: components["schemas"]["NoMeta"];
        };
    };
    responses: never;
    parameters: {
        /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getIndex: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexAnswer"];
                };
            };
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountViewPage"];
                };
            };
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountWithLinkAnswer"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account's id. */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountViewAnswer"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The account's id. */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The account's id. */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AccountPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountViewAnswer"];
                };
            };
        };
    };
    createResetLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The account's id. */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkViewAnswer"];
                };
            };
        };
    };
    listApplications: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationViewPage"];
                };
            };
        };
    };
    createApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApplicationBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationViewAnswer"];
                };
            };
        };
    };
    deleteApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The client's id. */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description What was done, such as `token.create`. */
                action?: string;
                /** @description Who did it: a username or an owner. */
                actor?: string;
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
                /** @description Not before. */
                since?: number;
                /** @description What it was done to: an id or a name. */
                subject?: string;
                /** @description Before. */
                until?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
        };
    };
    listClients: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientViewPage"];
                };
            };
        };
    };
    createClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientWithSecretAnswer"];
                };
            };
        };
    };
    deleteClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The client's id. */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationViewPage"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InvitationBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationWithLinkAnswer"];
                };
            };
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The invitation's id. */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountViewAnswer"];
                };
            };
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MeBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountViewAnswer"];
                };
            };
        };
    };
    listMyApplications: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyApplicationViewPage"];
                };
            };
        };
    };
    revokeMyApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The consent's id. */
                consent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    listMyIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityViewListAnswer"];
                };
            };
        };
    };
    deleteMyIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The identity's id. */
                identity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    listMyPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyViewListAnswer"];
                };
            };
        };
    };
    createMyPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyViewAnswer"];
                };
            };
        };
    };
    deleteMyPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The passkey's id. */
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    renameMyPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The passkey's id. */
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyNameBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyViewAnswer"];
                };
            };
        };
    };
    beginMyPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptionsAnswer"];
                };
            };
        };
    };
    changeMyPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordViewAnswer"];
                };
            };
        };
    };
    countMyRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesLeftAnswer"];
                };
            };
        };
    };
    renewMyRecoveryCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesAnswer"];
                };
            };
        };
    };
    listMySessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionViewListAnswer"];
                };
            };
        };
    };
    endMySession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The session's id. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    listMyTokens: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenViewPage"];
                };
            };
        };
    };
    createMyToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MyTokenBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenWithSecretAnswer"];
                };
            };
        };
    };
    revokeMyToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The token's id. */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    getOwnToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenViewAnswer"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenViewPage"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenWithSecretAnswer"];
                };
            };
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token's id. */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenViewAnswer"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The token's id. */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description `start` for all that is kept, else from now on. A cursor wins. */
                from?: "start";
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
                /** @description The id of one task, board, … */
                subject?: string;
                /** @description Kinds, separated by commas; `task.*` is all that begin so. Default: all. */
                types?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventViewPage"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the feed, or the id of an event here. */
                cursor?: string;
                /** @description The id of one task, board, … */
                subject?: string;
                /** @description Kinds, separated by commas; `task.*` is all that begin so. Default: all. */
                types?: string;
            };
            header?: {
                /** @description The `id` of the last event that was seen; it wins over `cursor`. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listBackgroundJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueViewAnswer"];
                };
            };
        };
    };
    retryJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriedJobAnswer"];
                };
            };
        };
    };
    listAssets: {
        parameters: {
            query?: {
                /** @description Of the assets' bytes: `sha256:` and 64 hexadecimal digits, or up to 50 of these, comma-separated. */
                checksum?: string;
                /** @description Created at this time or later. */
                createdAfter?: number;
                /** @description Created earlier than this. */
                createdBefore?: number;
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                kind?: components["schemas"]["MediaKind"];
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
                /** @description `name:value`; those that have this very pair. */
                metadata?: string;
                /** @description A type, or all of a family: `image/*`. */
                mimeType?: string;
                processingStatus?: components["schemas"]["MediaStatus"];
                /** @description Words, all of them, the last one also as a beginning; "a phrase", -word, tag:, status:, type:, due:<2026-12-01. */
                q?: string;
                sort?: components["schemas"]["MediaSort"];
                /** @description Comma-separated; assets that have all of them. */
                tags?: string;
                /** @description true: only those that no task has attached. */
                unused?: boolean;
                /** @description Changed at this time or later. */
                updatedAfter?: number;
                visibility?: components["schemas"]["MediaVisibility"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetViewPage"];
                };
            };
        };
    };
    getAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer that the client has. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The asset's id. */
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetViewAnswer"];
                };
            };
        };
    };
    deleteAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the state that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The asset's id. */
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    updateAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the state that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The asset's id. */
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MediaPatchBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetViewAnswer"];
                };
            };
        };
    };
    bindNamespaces: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The asset's id. */
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamespacesBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BindingAnswer"];
                };
            };
        };
    };
    replaceAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The asset's id. */
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplacementAnswer"];
                };
            };
        };
    };
    resolveAsset: {
        parameters: {
            query?: {
                /** @description `original`, or one that `GET /media/transform-classes` lists. */
                transformClass?: string;
            };
            header?: never;
            path: {
                /** @description The asset's id. */
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolutionAnswer"];
                };
            };
        };
    };
    signAssetUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The asset's id. */
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UrlBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUrlAnswer"];
                };
            };
        };
    };
    listAssetUses: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The asset's id. */
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UseViewPage"];
                };
            };
        };
    };
    batchDeleteAssets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdsBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchDeletedViewAnswer"];
                };
            };
        };
    };
    batchTagAssets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchTagsBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaggedViewAnswer"];
                };
            };
        };
    };
    getAssetsByIds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdsBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetViewListMissingAnswer"];
                };
            };
        };
    };
    signAssetUrls: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UrlsBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUrlListUrlsAnswer"];
                };
            };
        };
    };
    getCdn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CdnViewAnswer"];
                };
            };
        };
    };
    getMediaStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaStatsAnswer"];
                };
            };
        };
    };
    listMediaTags: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaTagViewPage"];
                };
            };
        };
    };
    renameMediaTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameTagBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenameTagViewAnswer"];
                };
            };
        };
    };
    getMediaTagRename: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The rename's id. */
                rename_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenameTagViewAnswer"];
                };
            };
        };
    };
    listTransformClasses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransformClassViewListAnswer"];
                };
            };
        };
    };
    uploadFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FileUploadBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetViewAnswer"];
                };
            };
        };
    };
    uploadFromUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FromUrlBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UrlUploadViewAnswer"];
                };
            };
        };
    };
    getUploadFromUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The asset or video's id. */
                asset_or_video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UrlUploadViewAnswer"];
                };
            };
        };
    };
    uploadImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImageUploadBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetViewAnswer"];
                };
            };
        };
    };
    presignUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresignedBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresignedAnswer"];
                };
            };
        };
    };
    listVideos: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
                /** @description `name:value`; those that have this very pair. */
                metadata?: string;
                /** @description Words, all of them, the last one also as a beginning; "a phrase", -word, tag:, status:, type:, due:<2026-12-01. */
                q?: string;
                status?: components["schemas"]["VideoStatus"];
                /** @description Comma-separated; videos that have all of them. */
                tags?: string;
                visibility?: components["schemas"]["MediaVisibility"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoViewPage"];
                };
            };
        };
    };
    createVideoSignedUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider video's id. */
                provider_video_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SignedUrlBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUrlViewAnswer"];
                };
            };
        };
    };
    getVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer that the client has. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The video's id. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoViewAnswer"];
                };
            };
        };
    };
    deleteVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The video's id. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    updateVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The video's id. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PatchVideoBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoViewAnswer"];
                };
            };
        };
    };
    listVideoCaptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The video's id. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaptionsViewListAnswer"];
                };
            };
        };
    };
    putVideoCaptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The video's id. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutCaptionsBody"];
            };
        };
        responses: {
            /** @description There were captions in this language; these are in their place. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaptionsViewAnswer"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaptionsViewAnswer"];
                };
            };
        };
    };
    deleteVideoCaptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The language's id. */
                language: string;
                /** @description The video's id. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    finalizeVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The video's id. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoViewAnswer"];
                };
            };
        };
    };
    chooseVideoPoster: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The video's id. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PosterBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoViewAnswer"];
                };
            };
        };
    };
    createVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateVideoBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoViewAnswer"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
                /** @description Words, all of them, the last one also as a beginning; "a phrase", -word, tag:, status:, type:, due:<2026-12-01. */
                q: string;
                /** @description By relevance, the newest 1,000 that match. */
                sort?: components["schemas"]["SearchSort"];
                /** @description Comma-separated: task, asset, video. By default all that the token may read. */
                types?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HitViewPage"];
                };
            };
        };
    };
    listBoards: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardViewPage"];
                };
            };
        };
    };
    createBoard: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BoardBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardViewAnswer"];
                };
            };
        };
    };
    getBoard: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer that the client has. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The board's id. */
                board_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardViewAnswer"];
                };
            };
        };
    };
    deleteBoard: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the board's version that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The board's id. */
                board_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    updateBoard: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the board's version that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The board's id. */
                board_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BoardPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardViewAnswer"];
                };
            };
        };
    };
    listColumns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The board's id. */
                board_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ColumnViewListAnswer"];
                };
            };
        };
    };
    createColumn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the board's version that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The board's id. */
                board_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ColumnBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ColumnViewAnswer"];
                };
            };
        };
    };
    deleteColumn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the board's version that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The board's id. */
                board_id: string;
                /** @description The column's id. */
                column_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    updateColumn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the board's version that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The board's id. */
                board_id: string;
                /** @description The column's id. */
                column_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ColumnPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ColumnViewAnswer"];
                };
            };
        };
    };
    listPlacements: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The board's id. */
                board_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacementPage"];
                };
            };
        };
    };
    createCalendar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CalendarBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarViewAnswer"];
                };
            };
        };
    };
    deleteCalendar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagViewPage"];
                };
            };
        };
    };
    renameTaskTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameTagBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenameTagViewAnswer"];
                };
            };
        };
    };
    getTaskTagRename: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The rename's id. */
                rename_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenameTagViewAnswer"];
                };
            };
        };
    };
    backfillTaskIndex: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackfillViewAnswer"];
                };
            };
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /** @description true includes archived tasks. */
                archived?: components["schemas"]["Archived"];
                boardId?: string;
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description Due at this time or later. */
                dueAfter?: number;
                /** @description Due earlier than this. */
                dueBefore?: number;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
                /** @description `name:value`; those that have this very pair. */
                metadata?: string;
                /** @description Words, all of them, the last one also as a beginning; "a phrase", -word, tag:, status:, type:, due:<2026-12-01. */
                q?: string;
                /** @description By default `board` with a boardId, the board's own order, else `-createdAt`: newest first. By `dueAt`, tasks without a due date come last. */
                sort?: components["schemas"]["TaskSort"];
                status?: components["schemas"]["TaskStatus"];
                /** @description Comma-separated; tasks that have all of them. */
                tags?: string;
                /** @description Changed at this time or later. */
                updatedAfter?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskViewPage"];
                };
            };
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBody"];
            };
        };
        responses: {
            /** @description The task that was created with this idempotencyKey before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskViewCreateAnswer"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskViewCreateAnswer"];
                };
            };
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer that the client has. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskViewAnswer"];
                };
            };
        };
    };
    deleteTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    updateTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TaskPatchBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskViewAnswer"];
                };
            };
        };
    };
    archiveTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskViewAnswer"];
                };
            };
        };
    };
    completeTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskViewAnswer"];
                };
            };
        };
    };
    moveTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskViewAnswer"];
                };
            };
        };
    };
    listOccurrences: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OccurrenceViewPage"];
                };
            };
        };
    };
    restoreTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that the change is for; another one is answered with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskViewAnswer"];
                };
            };
        };
    };
    listUpcoming: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpcomingViewListAnswer"];
                };
            };
        };
    };
    batchTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResultListBatchAnswer"];
                };
            };
        };
    };
    parseTask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ParseBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParsedViewAnswer"];
                };
            };
        };
    };
    listVaultKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VaultKeyListAnswer"];
                };
            };
        };
    };
    createVaultKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyFile"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VaultKeyAnswer"];
                };
            };
        };
    };
    deleteVaultKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The key's id. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    updateVaultKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The key's id. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyFile"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VaultKeyAnswer"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookViewPage"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretAnswer"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookViewAnswer"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook's id. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook's id. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookViewAnswer"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; more than 100 are given as 100. */
                limit?: number;
                /** @description Only those. */
                status?: components["schemas"]["DeliveryStatus"];
            };
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryViewPage"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event's id. */
                event_id: string;
                /** @description The webhook's id. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryWithAttemptsAnswer"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The event's id. */
                event_id: string;
                /** @description The webhook's id. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryWithAttemptsAnswer"];
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook's id. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReplayBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayViewAnswer"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook's id. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretAnswer"];
                };
            };
        };
    };
    sendWebhookTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: within 24 hours the same request with the same key is answered with the first outcome. 1 to 255 printable ASCII characters, bare or in double quotes. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook's id. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentTestAnswer"];
                };
            };
        };
    };
    onBoardCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "board.created",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "brd_01ka2z5v8r4f8h2n6p0s3v7y9a",
                 *       "data": {
                 *         "boardId": "brd_01ka2z5v8r4f8h2n6p0s3v7y9a",
                 *         "version": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["BoardCreated"];
                    /** @constant */
                    type?: "board.created";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBoardDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "board.deleted",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "brd_01ka2z5v8r4f8h2n6p0s3v7y9a",
                 *       "data": {
                 *         "boardId": "brd_01ka2z5v8r4f8h2n6p0s3v7y9a"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["BoardDeleted"];
                    /** @constant */
                    type?: "board.deleted";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBoardUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "board.updated",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "brd_01ka2z5v8r4f8h2n6p0s3v7y9a",
                 *       "data": {
                 *         "boardId": "brd_01ka2z5v8r4f8h2n6p0s3v7y9a",
                 *         "version": 2,
                 *         "changed": [
                 *           "columns"
                 *         ],
                 *         "columnId": "col_01ka2z5v8s5c9e3g7j1k4m6q8r"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["BoardChanged"];
                    /** @constant */
                    type?: "board.updated";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaAssetCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.asset.created",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *       "data": {
                 *         "assetId": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *         "version": 1,
                 *         "processingStatus": "processing"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["AssetTold"];
                    /** @constant */
                    type?: "media.asset.created";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaAssetDamaged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.asset.damaged",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *       "data": {
                 *         "assetId": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *         "version": 1,
                 *         "processingStatus": "ready"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["AssetTold"];
                    /** @constant */
                    type?: "media.asset.damaged";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaAssetDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.asset.deleted",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *       "data": {
                 *         "assetId": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *         "version": 1,
                 *         "processingStatus": "ready"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["AssetTold"];
                    /** @constant */
                    type?: "media.asset.deleted";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaAssetFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.asset.failed",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *       "data": {
                 *         "assetId": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *         "version": 1,
                 *         "processingStatus": "failed",
                 *         "errorCode": "checksum_mismatch"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["AssetFailed"];
                    /** @constant */
                    type?: "media.asset.failed";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaAssetReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.asset.ready",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *       "data": {
                 *         "assetId": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *         "version": 1,
                 *         "processingStatus": "ready"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["AssetTold"];
                    /** @constant */
                    type?: "media.asset.ready";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaAssetRepaired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.asset.repaired",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *       "data": {
                 *         "assetId": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *         "version": 1,
                 *         "processingStatus": "ready"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["AssetTold"];
                    /** @constant */
                    type?: "media.asset.repaired";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaAssetReplaced: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.asset.replaced",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *       "data": {
                 *         "assetId": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *         "version": 2,
                 *         "processingStatus": "ready"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["AssetTold"];
                    /** @constant */
                    type?: "media.asset.replaced";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaAssetUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.asset.updated",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *       "data": {
                 *         "assetId": "ast_01ka2z5v8t6d0f4h8k2m5p7r9t",
                 *         "version": 1,
                 *         "processingStatus": "ready",
                 *         "changed": [
                 *           "alt",
                 *           "tags"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["AssetUpdated"];
                    /** @constant */
                    type?: "media.asset.updated";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaVideoCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.video.completed",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *       "data": {
                 *         "videoId": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *         "providerVideoId": "3f0c8f5c2b4e4d0f9a6b7c8d9e0f1a2b",
                 *         "status": "ready"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["VideoTold"];
                    /** @constant */
                    type?: "media.video.completed";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaVideoCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.video.created",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *       "data": {
                 *         "videoId": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *         "providerVideoId": "3f0c8f5c2b4e4d0f9a6b7c8d9e0f1a2b",
                 *         "status": "awaiting_upload"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["VideoTold"];
                    /** @constant */
                    type?: "media.video.created";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaVideoDamaged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.video.damaged",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *       "data": {
                 *         "videoId": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *         "providerVideoId": "3f0c8f5c2b4e4d0f9a6b7c8d9e0f1a2b",
                 *         "status": "ready"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["VideoTold"];
                    /** @constant */
                    type?: "media.video.damaged";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaVideoDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.video.deleted",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *       "data": {
                 *         "videoId": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *         "providerVideoId": "3f0c8f5c2b4e4d0f9a6b7c8d9e0f1a2b",
                 *         "status": "ready"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["VideoTold"];
                    /** @constant */
                    type?: "media.video.deleted";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaVideoExpired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.video.expired",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *       "data": {
                 *         "videoId": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *         "providerVideoId": "3f0c8f5c2b4e4d0f9a6b7c8d9e0f1a2b",
                 *         "status": "expired"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["VideoTold"];
                    /** @constant */
                    type?: "media.video.expired";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaVideoFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.video.failed",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *       "data": {
                 *         "videoId": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *         "providerVideoId": "3f0c8f5c2b4e4d0f9a6b7c8d9e0f1a2b",
                 *         "status": "failed",
                 *         "errorCode": "invalid_media"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["VideoFailed"];
                    /** @constant */
                    type?: "media.video.failed";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaVideoProcessing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.video.processing",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *       "data": {
                 *         "videoId": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *         "providerVideoId": "3f0c8f5c2b4e4d0f9a6b7c8d9e0f1a2b",
                 *         "status": "processing"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["VideoTold"];
                    /** @constant */
                    type?: "media.video.processing";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaVideoReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.video.ready",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *       "data": {
                 *         "videoId": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *         "providerVideoId": "3f0c8f5c2b4e4d0f9a6b7c8d9e0f1a2b",
                 *         "status": "ready"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["VideoTold"];
                    /** @constant */
                    type?: "media.video.ready";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaVideoRepaired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.video.repaired",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *       "data": {
                 *         "videoId": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *         "providerVideoId": "3f0c8f5c2b4e4d0f9a6b7c8d9e0f1a2b",
                 *         "status": "ready"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["VideoTold"];
                    /** @constant */
                    type?: "media.video.repaired";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaVideoUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.video.updated",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *       "data": {
                 *         "videoId": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *         "providerVideoId": "3f0c8f5c2b4e4d0f9a6b7c8d9e0f1a2b",
                 *         "status": "ready",
                 *         "changed": [
                 *           "title"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["VideoUpdated"];
                    /** @constant */
                    type?: "media.video.updated";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaVideoUploaded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "media.video.uploaded",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *       "data": {
                 *         "videoId": "vid_01ka2z5v8v7e1g5j9m3n6q8s0v",
                 *         "providerVideoId": "3f0c8f5c2b4e4d0f9a6b7c8d9e0f1a2b",
                 *         "status": "uploading"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["VideoTold"];
                    /** @constant */
                    type?: "media.video.uploaded";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskArchived: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "task.archived",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *       "data": {
                 *         "taskId": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *         "version": 2,
                 *         "changed": [
                 *           "archived"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["TaskChanged"];
                    /** @constant */
                    type?: "task.archived";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "task.completed",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *       "data": {
                 *         "taskId": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *         "version": 2,
                 *         "changed": [
                 *           "status",
                 *           "rank"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["TaskChanged"];
                    /** @constant */
                    type?: "task.completed";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "task.created",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *       "data": {
                 *         "taskId": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *         "version": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["TaskCreated"];
                    /** @constant */
                    type?: "task.created";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "task.deleted",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *       "data": {
                 *         "taskId": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["TaskDeleted"];
                    /** @constant */
                    type?: "task.deleted";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskMoved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "task.moved",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *       "data": {
                 *         "taskId": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *         "version": 2,
                 *         "changed": [
                 *           "boardId",
                 *           "columnId",
                 *           "rank"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["TaskChanged"];
                    /** @constant */
                    type?: "task.moved";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskReminder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "task.reminder",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *       "data": {
                 *         "taskId": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *         "reminder": 1794765600000,
                 *         "dueAt": 1794769200000
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["TaskReminder"];
                    /** @constant */
                    type?: "task.reminder";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskRestored: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "task.restored",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *       "data": {
                 *         "taskId": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *         "version": 2,
                 *         "changed": [
                 *           "archived"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["TaskChanged"];
                    /** @constant */
                    type?: "task.restored";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "task.updated",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *       "data": {
                 *         "taskId": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd",
                 *         "version": 2,
                 *         "changed": [
                 *           "title",
                 *           "dueAt"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["TaskChanged"];
                    /** @constant */
                    type?: "task.updated";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookDisabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "webhook.disabled",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "whk_01ka2z5v8w8f2h6k0n4p7r9t1w",
                 *       "data": {
                 *         "webhookId": "whk_01ka2z5v8w8f2h6k0n4p7r9t1w",
                 *         "reason": "failing"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["WebhookDisabled"];
                    /** @constant */
                    type?: "webhook.disabled";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01ka2z5v8w8f2h6k0n4p7r9t1v",
                 *       "type": "webhook.test",
                 *       "timestamp": "2026-11-15T17:00:00.000Z",
                 *       "sequence": 4711,
                 *       "subject": "whk_01ka2z5v8w8f2h6k0n4p7r9t1w",
                 *       "data": {
                 *         "webhookId": "whk_01ka2z5v8w8f2h6k0n4p7r9t1w"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EventView"] & {
                    data?: components["schemas"]["WebhookTest"];
                    /** @constant */
                    type?: "webhook.test";
                };
            };
        };
        responses: {
            /** @description Any status of 200 to 299 says that it was received; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
