import LocatorProperties
import Testing

@Suite("A key is secret if it contains a secret word as a whole word")
struct SecretWordsTests {
    @Test(
        "Secret keys",
        arguments: [
            "password", "Password", "PASSWORD", "dbPassword", "db_password", "db-password", "passwordHash", "passwords",
            "passwd", "passphrase", "secret", "clientSecret", "secrets", "token", "authToken", "AUTH_TOKEN", "token2",
            "accessTokens", "credential", "credentials", "apiKey", "api_key", "api-key", "APIKey", "apikey", "apiKeys",
            "privateKey", "PRIVATE_KEY", "accessKey", "signingKey", "encryptionKey", "stripeApiKeyLive", "pwd",
            "dbPwd", "PGPASSWORD", "passPhrase", "pass_word", "accountKey", "connectionString", "CONNECTION_STRING",
            "connectionstrings", "jwt", "jwtIssuer", "bearer", "salt", "passwordSalt", "signatureKey", "pass",
            "smtpPass", "rootPass", "keystore_pass", "SMTP_PASS", "pass2", "psk", "wifiPsk", "hmac", "hmacKey",
            "authorization", "Authorization", "proxyAuthorization", "sharedKey", "storageKey", "sasKey",
            "subscriptionKey", "sslKey", "tlsKey", "sessionKey", "authKey", "signingkey", "encryptionkey", "masterkey",
            "secretkey", "sharedkey", "sslkeys", "authtoken", "refreshtoken", "accesstoken", "clientsecret",
            "dbpassword", "rootpassword", "dbpasswd", "dbpassword2",
        ])
    func key_isSecret(key: String) {
        #expect(SecretWords.isSecret(key))
    }

    @Test(
        "Keys that are not secret",
        arguments: [
            "tokenizer", "tokenizerPath", "secretary", "passwordless", "keyPath", "key", "primaryKey", "publicKey",
            "foreignKey", "keyApi", "apiUrl", "private", "privateAndKey", "credentialing", "", "user", "compass",
            "salty", "basalt",
            "string", "connection", "bypass", "passThrough", "accountName", "signature", "stringKey", "passenger",
            "passed", "passes", "passCount", "passthrough", "keyboard", "author", "authority", "authorizationURL",
            "authorizationServer", "authorized", "ssl", "tls", "auth", "session", "sig", "hotkey", "monkey", "turkey",
            "keys", "publickey", "primarykey", "tokenized", "secretariat",
        ])
    func key_isNotSecret(key: String) {
        #expect(!SecretWords.isSecret(key))
    }
}

@Suite("A password within a URL is masked wherever the URL is printed")
struct RedactionTests {
    @Test(
        "Masked",
        arguments: [
            ("postgres://shop:pw@db.local:5432/orders", "postgres://shop:<secret>@db.local:5432/orders"),
            ("https://:pw@host", "https://:<secret>@host"),
            ("https://user:p@ss:w@host/x", "https://user:<secret>@host/x"),
            ("see https://a:b@c/d and ftp://e:f@g", "see https://a:<secret>@c/d and ftp://e:<secret>@g"),
            ("https://h/p?token=abc&page=2", "https://h/p?token=<secret>&page=2"),
            ("https://h/p?user=me&pass=abc", "https://h/p?user=me&pass=<secret>"),
            ("https://h/p?sig=a%2Fb&sv=1", "https://h/p?sig=<secret>&sv=1"),
            ("https://h/p?X-Amz-Signature=abc&X-Amz-Date=1", "https://h/p?X-Amz-Signature=<secret>&X-Amz-Date=1"),
            ("https://h/p?token=ab'c;d&page=2", "https://h/p?token=<secret>&page=2"),
            ("https://h/p#access_token=ab'c", "https://h/p#access_token=<secret>"),
            ("https://h/p?user[token]=abc&page=2", "https://h/p?user[token]=<secret>&page=2"),
            ("https://h/p?page=2&api_key=abc#top", "https://h/p?page=2&api_key=<secret>#top"),
            ("https://a:b@h/p?password=x y", "https://a:<secret>@h/p?password=<secret> y"),
            ("https://TOKEN@host/x", "https://<secret>@host/x"),
            ("https://TOKEN:@host", "https://<secret>:@host"),
            ("https://TOKEN:x-oauth-basic@host", "https://<secret>:x-oauth-basic@host"),
            ("postgres://me:a#b@host/x", "postgres://me:<secret>@host/x"),
            ("postgres://me:a/b@host/x", "postgres://me:<secret>@host/x"),
            ("https://me:a?b@host/x", "https://me:<secret>@host/x"),
            ("https://me:a b@host/x", "https://me:<secret>@host/x"),
            ("https://me:a@b/c@host/x", "https://me:<secret>@host/x"),
            ("https://me:a://b@host/x", "https://me:<secret>@host/x"),
            ("https://web/old/https://me:pw@host", "https://web/old/https://me:<secret>@host"),
            ("redis://:a@one,redis://:b@two", "redis://:<secret>@one,redis://:<secret>@two"),
            ("https://${env:U}:${env:P:pw}@host", "https://${env:U}:<secret>@host"),
            ("jdbc:sqlserver://h:1433;user=me;password=a;b", "jdbc:sqlserver://h:1433;user=me;password=<secret>;b"),
            ("Server=h;Password = pw;Timeout=3", "Server=h;Password = <secret>;Timeout=3"),
            ("host=h password=pw port=1", "host=h password=<secret> port=1"),
            ("Endpoint=e;Shared Access Key='p;w'", "Endpoint=e;Shared Access Key='<secret>'"),
            (#"{"user": "me", "password": "pw"}"#, #"{"user": "me", "password": "<secret>"}"#),
            ("é://ü:ß@ö?token=ä", "é://ü:<secret>@ö?token=<secret>"),
            // A single quote is part of a URL, unless another one opens it.
            ("https://TO'KEN@host", "https://<secret>@host"), ("https://me:12'34@host", "https://me:<secret>@host"),
            ("'https://me:a'b@host', 'https://h'", "'https://me:<secret>@host', 'https://h'"),
            // A colon or an `@` after the authority.
            ("redis://TOKEN@host:1/a@b", "redis://<secret>@b"),
            ("https://TOKEN@h:80 or me@b.de", "https://<secret>@b.de"),
            ("https://h/p?user[token]=;abc&page=2", "https://h/p?user[token]=<secret>&page=2"),
            // JSON with escaped slashes.
            (#"{"url":"https:\/\/me:pw@h\/x"}"#, #"{"url":"https:\/\/me:<secret>@h\/x"}"#),
        ])
    func masked(text: String, expected: String) {
        #expect(Redaction.maskingURLs(in: text) == expected)
    }

    @Test(
        "Unchanged",
        arguments: [
            "", "plain", "a:b@c", "https://host/path", "https://host:8080/a@b", "https://host/@scope/package",
            "ssh://git@host/x", "postgres://h:5432 for me@b.de", "http://[::1]/@x", "https://a.de and mail me@b.de",
            "a=b", "Password=", "==",
            "Password=${env:DB_PASSWORD};Server=h", "select x from tokens where id = 3",
            "https://h/?tokenizer=x", "https://h/?design=x&compass=n&bypass=1", "sig=x",
            "signature=x", "https://h/?token=", "mailto:a@b", "http://[::1]:80/", "://",
            "'https://h:80' and me@b.de", "{'url':'https://host:80','mail':'a@b'}", #"https:\/\/host:80\/a@b"#,
            #":\/\/"#, "jdbc:sqlserver://host;user=sa;password=;encrypt=true", #"<a href="https://h/x" password="">"#,
        ])
    func leftAsItIs(text: String) {
        #expect(Redaction.maskingURLs(in: text) == text)
    }
}
