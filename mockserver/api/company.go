package api

import (
	"net/http"

	"paysandbox/mockserver/world"
)

func companyRoutes() []*route {
	const tag = "Companies"
	return []*route{
		row("createCompany", http.MethodPost, "/Company/Create", takes(createCompany), world.NewCompany{}, world.CompanyCreated{}).
			about(tag, "Register a company and start its verification", "Endpoints, Company/Create").fails(http.StatusConflict),
		row("listCompanies", http.MethodGet, "/Company/List", gives(listCompanies), nil, world.CompanyList{}).
			about(tag, "List all companies of the integration", "Endpoints, Company/List"),
		row("getDefaultCompanyStatus", http.MethodGet, "/company/status", gives(defaultCompanyStatus), nil, world.DefaultCompanyStatus{}).
			about(tag, "Get the verification status of the default company, or of the one named", "Endpoints, company/status").
			with(queryParam("companyId", "uuid", "The company that is meant."),
				queryParam("companyReferenceId", "", "The reference of the company that is meant.")).fails(http.StatusNotFound),
		row("getCompanyStatus", http.MethodGet, "/Company/{companyReferenceId}/Status", gives(companyStatus), nil, world.CompanyStatus{}).
			about(tag, "Get a company's verification status", "Endpoints, Company/Status").with(companyRef),
		row("addLocation", http.MethodPost, "/Company/{companyReferenceId}/Locations", takes(addLocation), world.NewLocation{}, world.LocationCreated{}).
			about(tag, "Add a location to a company", "Endpoints, Company/Locations").with(companyRef),
		row("listLocations", http.MethodGet, "/Company/{companyReferenceId}/Locations", gives(listLocations), nil, world.LocationList{}).
			about(tag, "List a company's locations", "Endpoints, Company/Locations").with(companyRef),
		row("createExternalAuthLink", http.MethodPost, "/Company/{companyReferenceId}/ExternalAuthLink",
			takes(createExternalAuthLink), world.NewExternalAuthLink{}, world.ExternalAuthLink{}).
			about(tag, "Get a one-time link with which a company connects its bank account", "Endpoints, Company/ExternalAuthLink").
			with(companyRef),
	}
}

func createCompany(w *world.World, in *input, req *world.NewCompany) (world.CompanyCreated, error) {
	return w.CreateCompany(req, in.noted()...)
}

func listCompanies(w *world.World, _ *input) (world.CompanyList, error) {
	return w.ListCompanies(), nil
}

func defaultCompanyStatus(w *world.World, in *input) (world.DefaultCompanyStatus, error) {
	return w.DefaultCompanyStatus(in.arg("companyId"), in.arg("companyReferenceId"))
}

func companyStatus(w *world.World, in *input) (world.CompanyStatus, error) {
	return w.CompanyStatus(in.param("companyReferenceId"))
}

func addLocation(w *world.World, in *input, req *world.NewLocation) (world.LocationCreated, error) {
	return w.AddLocation(in.param("companyReferenceId"), req, in.noted()...)
}

func listLocations(w *world.World, in *input) (world.LocationList, error) {
	return w.ListLocations(in.param("companyReferenceId"))
}

func createExternalAuthLink(w *world.World, in *input, req *world.NewExternalAuthLink) (world.ExternalAuthLink, error) {
	return w.CreateExternalAuthLink(in.param("companyReferenceId"), req, in.noted()...)
}
